using System;
using System.Collections.Generic;
using System.Globalization;
using System.Linq;
using System.Numerics;
using System.Security.Cryptography;
using System.Text;
using System.Text.RegularExpressions;

/// <summary>
/// Judges a licence document of Hostdesk without asking anybody. Needs .NET Framework 4.7, .NET 5 or Mono, and no packages: of the versions
/// in use none has Ed25519. Judge answers the same as the libraries in other languages; all are tested with the cases of vectors.json.
/// </summary>
public static class HostdeskLicence
{
    /// <summary>
    /// The document is held against this. Keys is the list of the operator's /.well-known/jwks.json (KeysIn), Revocations the text of
    /// /.well-known/licence-revocations, LeastSeq the highest seq seen so far, At in seconds since 1970 (null: now). What is null is not
    /// compared; of the addresses one must fit.
    /// </summary>
    public sealed class Expected
    {
        public IList<Dictionary<string, object>> Keys = new List<Dictionary<string, object>>();
        public string Revocations;
        public double LeastSeq;
        public double? At;
        public IList<string> IPv4;
        public IList<string> IPv6;
        public string Fingerprint;
        public string LicenceKey;
        public string Issuer;
        public string Product;
        public IList<string> Requires = new List<string>();
    }

    /// <summary>
    /// The verdicts valid and in_grace are licensed; not_licensed is said of a true document that does not license this machine now, and
    /// not_genuine proves nothing. Plan (null: none) and Entitlements say what counts at the time.
    /// </summary>
    public sealed class Judgement
    {
        public string Verdict, Reason, Plan;
        public Dictionary<string, object> Entitlements = new Dictionary<string, object>();

        public bool IsLicensed
        {
            get { return Verdict == "valid" || Verdict == "in_grace"; }
        }
    }

    /// <summary>Its message is the reason.</summary>
    public sealed class NotGenuine : Exception
    {
        public NotGenuine(string reason) : base(reason) { }
    }

    const int DocumentLongest = 65536, ListLongest = 2000000;
    const string DocumentType = "hostdesk-licence+jwt", ListType = "hostdesk-revocations+jwt";
    // Seconds. A clock that is further back was perhaps set so, to keep an old document young.
    const int ClockLeeway = 300;
    static readonly Regex Part = new Regex(@"^[A-Za-z0-9_-]+\z");
    static readonly Regex Moment =
        new Regex(@"^([0-9]{4}-[0-9]{2}-[0-9]{2}T[0-9]{2}:[0-9]{2}:[0-9]{2})(\.[0-9]{1,9})?Z\z");
    static readonly Regex Network = new Regex(@"^([^/]*)(?:/(0|[1-9][0-9]{0,2}))?\z");

    /// <summary>Judges a licence document.</summary>
    public static Judgement Judge(string document, Expected expected)
    {
        double at = expected.At ?? (DateTime.UtcNow - new DateTime(1970, 1, 1)).TotalSeconds;
        Dictionary<string, object> claims, list;
        try
        {
            string kid;
            claims = ReadSigned(document, expected.Keys, DocumentType, DocumentLongest, out kid);
            if (!AreClaims(claims)) throw new NotGenuine("unknown_claims");
            list = ListOf(expected);
            if (list != null && ListIn(list, "withdrawn_keys").Contains(kid)) throw new NotGenuine("withdrawn_key");
        }
        catch (NotGenuine error)
        {
            return new Judgement { Verdict = "not_genuine", Reason = error.Message };
        }
        var refusal = RefusalOf(claims, expected, list, at);
        if (refusal != null) return new Judgement { Verdict = "not_licensed", Reason = refusal };
        var verdict = at < NumberIn(claims, "exp") ? "valid" : "in_grace";
        var present = InForceAt(claims, at);
        return new Judgement
        {
            Verdict = verdict,
            Reason = list != null && at >= NumberIn(list, "exp") ? "list_expired" : verdict,
            Plan = TextIn(present, "plan"),
            Entitlements = ObjectOf(ValueIn(present, "entitlements")),
        };
    }

    /// <summary>The operator's list of void documents, with its seq to keep; throws NotGenuine.</summary>
    public static Dictionary<string, object> ReadRevocations(string text, IList<Dictionary<string, object>> keys)
    {
        string kid;
        var list = ReadSigned(text, keys, ListType, ListLongest, out kid);
        if (list == null || !new[] { "seq", "iat", "exp" }.All(name => IsWhole(ValueIn(list, name)))
            || !(ValueIn(list, "withdrawn_keys") is List<object>) || !(ValueIn(list, "revoked") is List<object>)
            || !ListIn(list, "revoked").All(IsEntry))
            throw new NotGenuine("unknown_claims");
        return list;
    }

    /// <summary>The keys of the text of jwks.json.</summary>
    public static IList<Dictionary<string, object>> KeysIn(string jwks)
    {
        return ListIn(ObjectOf(Json.Read(jwks)), "keys").Select(ObjectOf).ToList();
    }

    static Dictionary<string, object> ListOf(Expected expected)
    {
        if (expected.Revocations == null) return null;
        Dictionary<string, object> list;
        try
        {
            list = ReadRevocations(expected.Revocations, expected.Keys);
        }
        catch (NotGenuine)
        {
            throw new NotGenuine("list_not_genuine");
        }
        if (NumberIn(list, "seq") < expected.LeastSeq) throw new NotGenuine("list_rolled_back");
        return list;
    }

    static string RefusalOf(
        Dictionary<string, object> claims, Expected expected, Dictionary<string, object> list, double at)
    {
        string status = TextIn(claims, "status"), machine = TextIn(claims, "machine");
        double iat = NumberIn(claims, "iat");
        if (expected.Issuer != null && expected.Issuer != TextIn(claims, "iss")) return "other_issuer";
        if (expected.LicenceKey != null && expected.LicenceKey != TextIn(claims, "licence_key")) return "other_licence_key";
        // A document without a product is of the one that was there before there were several.
        if (expected.Product != null && expected.Product != (TextIn(claims, "product") ?? "server")) return "other_product";
        if (iat > at + ClockLeeway) return "not_yet_issued";
        if (!FitsAddress(claims, expected)) return "address_mismatch";
        if (expected.Fingerprint != null && machine != null && machine != expected.Fingerprint) return "other_machine";
        if (list != null && ListIn(list, "revoked").Cast<List<object>>()
            .Any(entry => (string)entry[0] == TextIn(claims, "sub") && iat < (double)entry[1])) return "revoked";
        if (status == "free" || status == "suspended" || status == "too_many_machines") return status;
        // A paid period ends at its end: the grace below covers a network that is down, not an unpaid bill.
        if (status != "active" || !(at < SecondsOf(TextIn(claims, "paid_until")))) return "expired";
        if (at >= NumberIn(claims, "exp") + NumberIn(claims, "grace_s")) return "document_expired";
        var entitlements = ObjectOf(ValueIn(InForceAt(claims, at), "entitlements"));
        return expected.Requires.All(key => IsAllowed(ValueIn(entitlements, key))) ? null : "entitlement_missing";
    }

    static bool FitsAddress(Dictionary<string, object> claims, Expected expected)
    {
        if (expected.IPv4 == null && expected.IPv6 == null) return true;
        var ipv4 = TextIn(claims, "ipv4");
        if (ipv4 != null && expected.IPv4 != null && expected.IPv4.Contains(ipv4)) return true;
        var licensed = Network.Match(TextIn(claims, "ipv6") ?? "");
        var network = licensed.Success ? BytesOf(licensed.Groups[1].Value) : null;
        if (network == null || expected.IPv6 == null) return false;
        var bits = licensed.Groups[2].Success ? int.Parse(licensed.Groups[2].Value, CultureInfo.InvariantCulture) : 128;
        return bits <= 128 && expected.IPv6.Select(BytesOf).Any(one => one != null
            && Enumerable.Range(0, bits).All(bit => ((one[bit / 8] ^ network[bit / 8]) >> (7 - bit % 8) & 1) == 0));
    }

    /// <summary>The 16 bytes of an IPv6 address, null if it is none. IPAddress reads zones and brackets too.</summary>
    static byte[] BytesOf(string text)
    {
        var halves = text.Split(new[] { "::" }, StringSplitOptions.None);
        if (halves.Length > 2 || text.Contains(":::") || !Regex.IsMatch(text, @"^[0-9A-Fa-f:.]+\z")) return null;
        var first = BytesIn(halves[0], halves.Length == 1);
        var last = halves.Length == 1 ? new List<byte>() : BytesIn(halves[1], true);
        if (first == null || last == null) return null;
        var missing = 16 - first.Count - last.Count;
        if (halves.Length == 1 ? missing != 0 : missing < 2) return null;
        return first.Concat(new byte[missing]).Concat(last).ToArray();
    }

    static List<byte> BytesIn(string text, bool mayEndAsIPv4)
    {
        var bytes = new List<byte>();
        var parts = text == "" ? new string[0] : text.Split(':');
        for (var place = 0; place < parts.Length; place++)
        {
            if (Regex.IsMatch(parts[place], @"^[0-9A-Fa-f]{1,4}\z"))
            {
                var group = int.Parse(parts[place], NumberStyles.HexNumber, CultureInfo.InvariantCulture);
                bytes.AddRange(new[] { (byte)(group >> 8), (byte)group });
            }
            else if (mayEndAsIPv4 && place == parts.Length - 1 && Regex.IsMatch(parts[place],
                @"^((25[0-5]|2[0-4][0-9]|1[0-9][0-9]|[1-9]?[0-9])(\.(?!\z)|\z)){4}\z"))
                bytes.AddRange(parts[place].Split('.').Select(one => byte.Parse(one, CultureInfo.InvariantCulture)));
            else return null;
        }
        return bytes;
    }

    /// <summary>What counts at a time: the newest of next that has begun, or the claims themselves.</summary>
    static Dictionary<string, object> InForceAt(Dictionary<string, object> claims, double at)
    {
        return ListIn(claims, "next").Select(ObjectOf).LastOrDefault(span => SecondsOf(TextIn(span, "from")) <= at) ?? claims;
    }

    static bool IsAllowed(object value)
    {
        if (value is double) return (double)value > 0;
        return value is string ? (string)value != "" : value is bool && (bool)value;
    }

    // The header chooses among our keys and nothing more: the way of signing is fixed (RFC 8725).
    static Dictionary<string, object> ReadSigned(
        string document, IList<Dictionary<string, object>> keys, string type, int longest, out string kid)
    {
        var text = document.Trim(' ', '\t', '\r', '\n');
        var parts = text.Split('.');
        var header = parts.Length == 3 && text.Length <= longest && parts.All(IsPart) ? ObjectIn(parts[0]) : null;
        if (header == null) throw new NotGenuine("malformed");
        if (TextIn(header, "alg") != "EdDSA") throw new NotGenuine("wrong_algorithm");
        if (TextIn(header, "typ") != type || header.ContainsKey("crit")) throw new NotGenuine("wrong_type");
        var named = kid = TextIn(header, "kid");
        var key = keys.FirstOrDefault(one => named != null && TextIn(one, "kid") == named);
        if (key == null) throw new NotGenuine("unknown_key");
        if (ValueIn(key, "withdrawn") is bool && (bool)ValueIn(key, "withdrawn")) throw new NotGenuine("withdrawn_key");
        var signature = Decoded(parts[2]);
        // Decoding forgives stray bits; a signature has one spelling only.
        if (signature.Length != 64 || Encoded(signature) != parts[2]) throw new NotGenuine("wrong_signature");
        if (!Ed25519.Verify(PublicKeyOf(key), Encoding.ASCII.GetBytes(parts[0] + "." + parts[1]), signature))
            throw new NotGenuine("wrong_signature");
        return ObjectIn(parts[1]);
    }

    static byte[] PublicKeyOf(Dictionary<string, object> key)
    {
        var x = TextIn(key, "x") ?? "";
        var fits = TextIn(key, "kty") == "OKP" && TextIn(key, "crv") == "Ed25519" && IsPart(x);
        var bytes = fits ? Decoded(x) : new byte[0];
        if (bytes.Length != 32) throw new NotGenuine("unusable_key");
        return bytes;
    }

    static bool AreClaims(Dictionary<string, object> claims)
    {
        return claims != null && new[] { "iss", "sub", "licence_key", "status" }.All(name => ValueIn(claims, name) is string)
            && new[] { "ipv4", "plan", "paid_until", "edition" }.All(name => claims.ContainsKey(name)
                && (claims[name] == null || claims[name] is string))
            && new[] { "iat", "exp", "grace_s", "ver" }.All(name => IsWhole(ValueIn(claims, name)))
            // Later versions only add claims to those of version 2.
            && NumberIn(claims, "ver") >= 2 && ValueIn(claims, "entitlements") is Dictionary<string, object>
            && ValueIn(claims, "next") is List<object> && ListIn(claims, "next").All(IsBeginning);
    }

    static bool IsBeginning(object one)
    {
        var span = one as Dictionary<string, object>;
        return span != null && new[] { "from", "plan", "edition" }.All(name => ValueIn(span, name) is string)
            && ValueIn(span, "entitlements") is Dictionary<string, object>;
    }

    static bool IsEntry(object one)
    {
        var entry = one as List<object>;
        return entry != null && entry.Count >= 2 && entry[0] is string && IsWhole(entry[1]);
    }

    static bool IsWhole(object value)
    {
        return value is double && Math.Floor((double)value) == (double)value && Math.Abs((double)value) <= 9007199254740991;
    }

    /// <summary>A time in UTC as seconds; what cannot be read has never come and never comes.</summary>
    static double SecondsOf(string text)
    {
        var match = Moment.Match(text ?? "");
        DateTime whole;
        if (!match.Success || !DateTime.TryParseExact(match.Groups[1].Value, "yyyy-MM-dd'T'HH:mm:ss",
            CultureInfo.InvariantCulture, DateTimeStyles.AssumeUniversal | DateTimeStyles.AdjustToUniversal, out whole))
            return double.NaN;
        var rest = match.Groups[2].Success ? double.Parse("0" + match.Groups[2].Value, CultureInfo.InvariantCulture) : 0;
        return (whole - new DateTime(1970, 1, 1)).TotalSeconds + rest;
    }

    static bool IsPart(string text)
    {
        return Part.IsMatch(text) && text.Length % 4 != 1;
    }

    static byte[] Decoded(string part)
    {
        return Convert.FromBase64String(part.Replace('-', '+').Replace('_', '/') + new string('=', (4 - part.Length % 4) % 4));
    }

    static string Encoded(byte[] bytes)
    {
        return Convert.ToBase64String(bytes).TrimEnd('=').Replace('+', '-').Replace('/', '_');
    }

    /// <summary>A part of a document as an object; null where it is none.</summary>
    internal static Dictionary<string, object> ObjectIn(string part)
    {
        try
        {
            return Json.Read(new UTF8Encoding(false, true).GetString(Decoded(part))) as Dictionary<string, object>;
        }
        catch (ArgumentException)
        {
            return null;
        }
        catch (FormatException)
        {
            return null;
        }
    }

    internal static object ValueIn(Dictionary<string, object> claims, string name)
    {
        object value;
        return claims.TryGetValue(name, out value) ? value : null;
    }

    internal static string TextIn(Dictionary<string, object> claims, string name)
    {
        return ValueIn(claims, name) as string;
    }

    internal static double NumberIn(Dictionary<string, object> claims, string name)
    {
        var value = ValueIn(claims, name);
        return value is double ? (double)value : 0;
    }

    static List<object> ListIn(Dictionary<string, object> claims, string name)
    {
        return ValueIn(claims, name) as List<object> ?? new List<object>();
    }

    internal static Dictionary<string, object> ObjectOf(object value)
    {
        return value as Dictionary<string, object> ?? new Dictionary<string, object>();
    }

    /// <summary>
    /// Verifies signatures (RFC 8032, 5.1.7). It is made of public values alone, so it need not hide how long it takes; it is no base to sign on.
    /// </summary>
    static class Ed25519
    {
        static readonly BigInteger P = BigInteger.Pow(2, 255) - 19;
        static readonly BigInteger Order =
            BigInteger.Pow(2, 252) + BigInteger.Parse("27742317777372353535851937790883648493", CultureInfo.InvariantCulture);
        static readonly BigInteger D = Mod(-121665 * BigInteger.ModPow(121666, P - 2, P));
        static readonly Point Base = Decompressed(Bytes(Mod(4 * BigInteger.ModPow(5, P - 2, P))));

        sealed class Point
        {
            public BigInteger X, Y, Z, T;
        }

        public static bool Verify(byte[] key, byte[] message, byte[] signature)
        {
            var a = Decompressed(key);
            var s = Number(signature.Skip(32).ToArray());
            if (a == null || s >= Order) return false;
            byte[] digest;
            using (var sha = SHA512.Create()) digest = sha.ComputeHash(signature.Take(32).Concat(key).Concat(message).ToArray());
            var minus = new Point { X = P - a.X, Y = a.Y, Z = 1, T = Mod((P - a.X) * a.Y) };
            return Compressed(Sum(s, Base, Number(digest) % Order, minus)).SequenceEqual(signature.Take(32));
        }

        /// <summary>s·b + h·a, bit by bit.</summary>
        static Point Sum(BigInteger s, Point b, BigInteger h, Point a)
        {
            var both = Add(a, b);
            var sum = new Point { X = 0, Y = 1, Z = 1, T = 0 };
            byte[] ofS = Bytes(s), ofH = Bytes(h);
            for (var bit = 252; bit >= 0; bit--)
            {
                sum = Add(sum, sum);
                var has = (ofS[bit / 8] >> (bit % 8) & 1) + 2 * (ofH[bit / 8] >> (bit % 8) & 1);
                if (has > 0) sum = Add(sum, has == 1 ? b : has == 2 ? a : both);
            }
            return sum;
        }

        static Point Add(Point one, Point other)
        {
            BigInteger a = (one.Y - one.X) * (other.Y - other.X) % P, b = (one.Y + one.X) * (other.Y + other.X) % P;
            BigInteger c = 2 * one.T * other.T % P * D % P, d = 2 * one.Z * other.Z % P;
            BigInteger e = b - a, f = d - c, g = d + c, h = b + a;
            return new Point { X = e * f % P, Y = g * h % P, T = e * h % P, Z = f * g % P };
        }

        static Point Decompressed(byte[] bytes)
        {
            var isOdd = bytes[31] >> 7;
            var y = Number(bytes) & (BigInteger.Pow(2, 255) - 1);
            var x2 = Mod((y * y - 1) * BigInteger.ModPow(D * y * y + 1, P - 2, P));
            var x = BigInteger.ModPow(x2, (P + 3) / 8, P);
            if (Mod(x * x - x2) != 0) x = Mod(x * BigInteger.ModPow(2, (P - 1) / 4, P));
            if (y >= P || Mod(x * x - x2) != 0 || (x == 0 && isOdd == 1)) return null;
            if ((int)(x % 2) != isOdd) x = P - x;
            return new Point { X = x, Y = y, Z = 1, T = Mod(x * y) };
        }

        static byte[] Compressed(Point point)
        {
            var z = BigInteger.ModPow(Mod(point.Z), P - 2, P);
            var bytes = Bytes(Mod(point.Y * z));
            bytes[31] |= (byte)((int)(Mod(point.X * z) % 2) << 7);
            return bytes;
        }

        static BigInteger Mod(BigInteger number)
        {
            var rest = number % P;
            return rest < 0 ? rest + P : rest;
        }

        static BigInteger Number(byte[] bytes)
        {
            return new BigInteger(bytes.Concat(new byte[1]).ToArray());
        }

        static byte[] Bytes(BigInteger number)
        {
            var bytes = number.ToByteArray();
            Array.Resize(ref bytes, 32);
            return bytes;
        }
    }

    /// <summary>A reader of JSON (RFC 8259), as no reader is in all versions of .NET.</summary>
    internal sealed class Json
    {
        const int Deepest = 100;
        static readonly Regex Numbers = new Regex(@"\G-?(0|[1-9][0-9]*)(\.[0-9]+)?([eE][+-]?[0-9]+)?");
        readonly string text;
        int at;

        Json(string text)
        {
            this.text = text;
        }

        /// <summary>Dictionaries, lists, texts, doubles, bools and null; throws FormatException for what is no JSON.</summary>
        public static object Read(string text)
        {
            var json = new Json(text);
            var value = json.Value(0);
            if (json.Next() != '\0' || json.at < text.Length) throw new FormatException("more text");
            return value;
        }

        public static string Quoted(string text)
        {
            var quoted = new StringBuilder("\"");
            foreach (var letter in text)
                if (letter < ' ' || letter == '"' || letter == '\\' || letter > '~') quoted.AppendFormat("\\u{0:x4}", (int)letter);
                else quoted.Append(letter);
            return quoted.Append('"').ToString();
        }

        object Value(int depth)
        {
            if (depth > Deepest) throw new FormatException("too deep");
            switch (Next())
            {
                case '{': return Object(depth);
                case '[': return List(depth);
                case '"': return String();
                case 't': return Word("true", true);
                case 'f': return Word("false", false);
                case 'n': return Word("null", null);
                default: return Number();
            }
        }

        Dictionary<string, object> Object(int depth)
        {
            var found = new Dictionary<string, object>();
            Take('{');
            if (Next() == '}') Take('}');
            else
                do
                {
                    Next();
                    var name = String();
                    Take(':');
                    found[name] = Value(depth + 1);
                } while (Another('}'));
            return found;
        }

        List<object> List(int depth)
        {
            var found = new List<object>();
            Take('[');
            if (Next() == ']') Take(']');
            else
                do found.Add(Value(depth + 1));
                while (Another(']'));
            return found;
        }

        bool Another(char end)
        {
            var more = Next() == ',';
            Take(more ? ',' : end);
            return more;
        }

        string String()
        {
            var found = new StringBuilder();
            Take('"');
            for (var letter = Letter(); letter != '"'; letter = Letter())
            {
                if (letter < ' ') throw new FormatException("a control character");
                found.Append(letter == '\\' ? Escaped() : letter);
            }
            return found.ToString();
        }

        char Escaped()
        {
            var letter = Letter();
            var place = "\"\\/bfnrt".IndexOf(letter);
            if (place >= 0) return "\"\\/\b\f\n\r\t"[place];
            if (letter != 'u' || at + 4 > text.Length || !Regex.IsMatch(text.Substring(at, 4), @"^[0-9A-Fa-f]{4}\z"))
                throw new FormatException("an unknown escape");
            at += 4;
            return (char)int.Parse(text.Substring(at - 4, 4), NumberStyles.HexNumber, CultureInfo.InvariantCulture);
        }

        object Number()
        {
            var number = Numbers.Match(text, at);
            if (!number.Success) throw new FormatException("no value");
            at += number.Length;
            try
            {
                return double.Parse(number.Value, NumberStyles.Float, CultureInfo.InvariantCulture);
            }
            catch (OverflowException)
            {
                return double.PositiveInfinity;
            }
        }

        object Word(string word, object value)
        {
            if (string.CompareOrdinal(text, at, word, 0, word.Length) != 0) throw new FormatException("no value");
            at += word.Length;
            return value;
        }

        char Letter()
        {
            if (at >= text.Length) throw new FormatException("cut");
            return text[at++];
        }

        char Next()
        {
            while (at < text.Length && " \t\r\n".IndexOf(text[at]) >= 0) at++;
            return at < text.Length ? text[at] : '\0';
        }

        void Take(char expected)
        {
            if (Next() != expected) throw new FormatException("not " + expected);
            at++;
        }
    }
}
