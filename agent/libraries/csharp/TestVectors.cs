using System;
using System.Collections.Generic;
using System.IO;
using System.Linq;
using System.Text;

/// <summary>Runs the shared cases, or those of the file VECTORS.</summary>
static class TestVectors
{
    static int Main()
    {
        Console.OutputEncoding = new UTF8Encoding(false);
        var text = File.ReadAllText(Environment.GetEnvironmentVariable("VECTORS") ?? "../../vectors.json");
        var keys = HostdeskLicence.KeysIn(text);
        var cases = (List<object>)HostdeskLicence.ObjectOf(HostdeskLicence.Json.Read(text))["cases"];
        var wrong = 0;
        foreach (var one in cases.Select(HostdeskLicence.ObjectOf))
        {
            var given = HostdeskLicence.ObjectOf(one["expected"]);
            var answer = HostdeskLicence.ObjectOf(one["answer"]);
            var got = HostdeskLicence.Judge((string)one["document"], new HostdeskLicence.Expected
            {
                Keys = keys,
                Revocations = HostdeskLicence.TextIn(given, "revocations"),
                LeastSeq = HostdeskLicence.NumberIn(given, "least_seq"),
                At = HostdeskLicence.NumberIn(given, "at"),
                IPv4 = Texts(given, "ipv4"),
                IPv6 = Texts(given, "ipv6"),
                Fingerprint = HostdeskLicence.TextIn(given, "fingerprint"),
                LicenceKey = HostdeskLicence.TextIn(given, "licence_key"),
                Product = HostdeskLicence.TextIn(given, "product"),
                Issuer = HostdeskLicence.TextIn(given, "issuer"),
                Requires = Texts(given, "requires") ?? new List<string>(),
            });
            if (Equal(got, answer)) continue;
            wrong++;
            Console.Error.WriteLine("{0}: got {1} {2} {3}", one["name"], got.Verdict, got.Reason, got.Plan);
        }
        Console.WriteLine("{0} of {1}", cases.Count - wrong, cases.Count);
        return wrong > 0 ? 1 : 0;
    }

    static bool Equal(HostdeskLicence.Judgement got, Dictionary<string, object> answer)
    {
        var allowed = HostdeskLicence.ObjectOf(answer["entitlements"]);
        return got.Verdict == (string)answer["verdict"] && got.Reason == (string)answer["reason"]
            && got.Plan == (string)answer["plan"] && got.Entitlements.Count == allowed.Count
            && allowed.All(one => got.Entitlements.ContainsKey(one.Key) && Equals(got.Entitlements[one.Key], one.Value));
    }

    static List<string> Texts(Dictionary<string, object> given, string name)
    {
        var list = HostdeskLicence.ValueIn(given, name) as List<object>;
        return list == null ? null : list.Cast<string>().ToList();
    }
}
