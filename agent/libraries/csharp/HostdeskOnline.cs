using System;
using System.Collections.Generic;
using System.Linq;
using System.Net.Http;
using System.Security.Cryptography;
using System.Text;

/// <summary>
/// Asks an installation of Hostdesk by licence key, for software that floats or has no agent. Stands beside HostdeskLicence.cs. Check
/// takes a seat of a floating licence, or extends it; Release gives it back. Both throw HttpRequestException where there is no answer.
/// </summary>
public static class HostdeskOnline
{
    /// <summary>
    /// With Keys (the operator's) an answer is valid only if a document with their signature answers this very question; without them HTTPS
    /// alone proves it. Fingerprint is 64 hexadecimal digits that stay the same on this machine.
    /// </summary>
    public sealed class Question
    {
        public string Server, LicenceKey, Fingerprint, Boot, Product, Hostname, IPv4, IPv6;
        public IList<Dictionary<string, object>> Keys;
        public IList<string> Requires = new List<string>();
    }

    /// <summary>The seconds count from the answer: the clock of this machine may be wrong.</summary>
    public sealed class Lease
    {
        public string Until, RenewAt;
        public double LastsS, RenewInS;
    }

    /// <summary>Code is valid, why not as the installation says it, unproven, or a reason of Judge. Lease is null without a seat.</summary>
    public sealed class Answer
    {
        public bool Valid;
        public string Code, Edition, Document;
        public Dictionary<string, object> Entitlements;
        public Lease Lease;
    }

    static readonly HttpClient client = new HttpClient { Timeout = TimeSpan.FromSeconds(10) };

    /// <summary>Says if the licence counts now.</summary>
    public static Answer Check(Question question)
    {
        var random = new byte[16];
        using (var generator = RandomNumberGenerator.Create()) generator.GetBytes(random);
        var nonce = BitConverter.ToString(random).Replace("-", "");
        var fields = Named(question);
        fields.Add(Field("product", question.Product));
        fields.Add(Field("hostname", question.Hostname));
        fields.Add(Field("ipv4", question.IPv4));
        fields.Add(Field("ipv6", question.IPv6));
        fields.Add(Field("nonce", nonce));
        fields.Add("\"entitlements\":[" + string.Join(",", question.Requires.Select(HostdeskLicence.Json.Quoted)) + "]");
        var told = Send(question.Server, "validate", fields);
        var answer = new Answer
        {
            Code = HostdeskLicence.TextIn(told, "code"),
            Edition = HostdeskLicence.TextIn(told, "edition"),
            Document = HostdeskLicence.TextIn(told, "document"),
            Entitlements = HostdeskLicence.ObjectOf(HostdeskLicence.ValueIn(told, "entitlements")),
        };
        var most = double.MaxValue;
        if (answer.Code == "valid" && question.Keys != null) answer.Code = Proof(answer.Document ?? "", question, nonce, out most);
        answer.Valid = answer.Code == "valid";
        var lease = HostdeskLicence.ValueIn(told, "lease") as Dictionary<string, object>;
        if (answer.Valid && lease != null)
            answer.Lease = new Lease
            {
                Until = HostdeskLicence.TextIn(lease, "until"),
                RenewAt = HostdeskLicence.TextIn(lease, "renew_at"),
                LastsS = Math.Min(HostdeskLicence.NumberIn(lease, "lasts_s"), most),
                RenewInS = HostdeskLicence.NumberIn(lease, "renew_in_s"),
            };
        return answer;
    }

    /// <summary>Gives back the seat; true if this machine held one.</summary>
    public static bool Release(Question question)
    {
        var released = HostdeskLicence.ValueIn(Send(question.Server, "release", Named(question)), "released");
        return released is bool && (bool)released;
    }

    // The document is judged at its own time: it is as old as the question.
    static string Proof(string document, Question question, string nonce, out double lasts)
    {
        var parts = document.Split('.');
        var claims = (parts.Length == 3 ? HostdeskLicence.ObjectIn(parts[1]) : null) ?? new Dictionary<string, object>();
        double iat = HostdeskLicence.NumberIn(claims, "iat");
        lasts = HostdeskLicence.NumberIn(claims, "exp") - iat;
        if (HostdeskLicence.TextIn(claims, "nonce") != nonce) return "unproven";
        return HostdeskLicence.Judge(document, new HostdeskLicence.Expected
        {
            Keys = question.Keys,
            At = iat,
            Fingerprint = question.Fingerprint,
            Product = question.Product,
            Requires = question.Requires,
        }).Reason;
    }

    static List<string> Named(Question question)
    {
        return new List<string>
        {
            Field("licence_key", question.LicenceKey), Field("fingerprint", question.Fingerprint), Field("boot", question.Boot),
        };
    }

    static string Field(string name, string value)
    {
        return value == null ? null : HostdeskLicence.Json.Quoted(name) + ":" + HostdeskLicence.Json.Quoted(value);
    }

    static Dictionary<string, object> Send(string server, string path, IEnumerable<string> fields)
    {
        var body = "{" + string.Join(",", fields.Where(field => field != null)) + "}";
        using (var content = new StringContent(body, Encoding.UTF8, "application/json"))
        using (var reply = client.PostAsync(server + "/api/licences/" + path + "/", content).GetAwaiter().GetResult())
        {
            reply.EnsureSuccessStatusCode();
            var text = reply.Content.ReadAsStringAsync().GetAwaiter().GetResult();
            return HostdeskLicence.ObjectOf(HostdeskLicence.Json.Read(text));
        }
    }
}
