using System;
using System.Collections.Generic;
using System.IO;

/// <summary>Takes, extends and gives back a seat at SERVER with LICENCE_KEY, and prints what it hears.</summary>
static class TestOnline
{
    static void Main()
    {
        var keys = HostdeskLicence.KeysIn(File.ReadAllText(Environment.GetEnvironmentVariable("JWKS")));
        HostdeskOnline.Question one = Question('a', keys), other = Question('b', keys);
        one.Requires = new[] { "größe" };
        var answer = HostdeskOnline.Check(one);
        Console.WriteLine("{0} {1} {2}", answer.Code, answer.Lease.LastsS, answer.Lease.RenewInS);
        Console.WriteLine(HostdeskOnline.Check(other).Code);
        Console.WriteLine("{0} {1}", HostdeskOnline.Release(one), HostdeskOnline.Check(other).Code);
        Console.WriteLine(HostdeskOnline.Check(Question('b', new List<Dictionary<string, object>>())).Code);
        Console.WriteLine("{0} {1}", HostdeskOnline.Release(other), HostdeskOnline.Release(other));
    }

    static HostdeskOnline.Question Question(char letter, IList<Dictionary<string, object>> keys)
    {
        return new HostdeskOnline.Question
        {
            Server = Environment.GetEnvironmentVariable("SERVER"),
            LicenceKey = Environment.GetEnvironmentVariable("LICENCE_KEY"),
            Keys = keys,
            Fingerprint = new string(letter, 64),
        };
    }
}
