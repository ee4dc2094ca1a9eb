import java.nio.ByteBuffer;
import java.nio.charset.CharacterCodingException;
import java.nio.charset.StandardCharsets;
import java.security.GeneralSecurityException;
import java.security.KeyFactory;
import java.security.PublicKey;
import java.security.Signature;
import java.security.spec.X509EncodedKeySpec;
import java.time.DateTimeException;
import java.time.LocalDateTime;
import java.time.ZoneOffset;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Base64;
import java.util.HexFormat;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * Judges a licence document of Hostdesk without asking anybody. Needs Java 17 and no packages. judge() answers the same as the libraries in
 * other languages; all of them are tested with the cases of vectors.json.
 */
public final class HostdeskLicence {
    private HostdeskLicence() {}

    /**
     * The document is held against this. `keys` is the list of the operator's /.well-known/jwks.json (`keysIn`), `revocations` the text of
     * /.well-known/licence-revocations, `leastSeq` the highest `seq` seen so far, `at` in seconds since 1970 (null: now). What is null is not
     * compared; of the addresses one must fit.
     */
    public static final class Expected {
        public List<Map<String, Object>> keys = List.of();
        public String revocations;
        public double leastSeq;
        public Double at;
        public List<String> ipv4;
        public List<String> ipv6;
        public String fingerprint;
        public String licenceKey;
        public String issuer;
        public String product;
        public List<String> requires = List.of();
    }

    /**
     * The verdicts valid and in_grace are licensed; not_licensed is said of a true document that does not license this machine now, and
     * not_genuine proves nothing. `plan` (null: none) and `entitlements` say what counts at the time.
     */
    public record Judgement(String verdict, String reason, String plan, Map<String, Object> entitlements) {
        public boolean isLicensed() {
            return verdict.equals("valid") || verdict.equals("in_grace");
        }
    }

    /** The message is the reason. */
    public static final class NotGenuine extends Exception {
        private static final long serialVersionUID = 1;

        NotGenuine(String reason) {
            super(reason);
        }
    }

    private record Kind(String type, int longest) {}

    private record Signed(String kid, Map<String, Object> claims) {}

    private static final Kind DOCUMENT = new Kind("hostdesk-licence+jwt", 65_536);
    private static final Kind LIST = new Kind("hostdesk-revocations+jwt", 2_000_000);
    // Seconds. A clock that is further back was perhaps set so, to keep an old document young.
    private static final int CLOCK_LEEWAY = 300;
    private static final Pattern PART = Pattern.compile("[A-Za-z0-9_-]+");
    private static final Pattern MOMENT =
        Pattern.compile("(\\d{4}-\\d\\d-\\d\\dT\\d\\d:\\d\\d:\\d\\d)(\\.\\d{1,9})?Z");
    private static final Pattern NETWORK = Pattern.compile("([^/]*)(?:/(0|[1-9]\\d{0,2}))?");
    private static final byte[] KEY_PREFIX = HexFormat.of().parseHex("302a300506032b6570032100");

    /** Judges a licence document. */
    public static Judgement judge(String document, Expected expected) {
        double at = expected.at == null ? System.currentTimeMillis() / 1000.0 : expected.at;
        Map<String, Object> claims;
        Map<String, Object> list;
        try {
            Signed signed = readSigned(document, expected.keys, DOCUMENT);
            claims = signed.claims();
            if (!areClaims(claims)) {
                throw new NotGenuine("unknown_claims");
            }
            list = listOf(expected);
            if (list != null && listIn(list, "withdrawn_keys").contains(signed.kid())) {
                throw new NotGenuine("withdrawn_key");
            }
        } catch (NotGenuine error) {
            return new Judgement("not_genuine", error.getMessage(), null, Map.of());
        }
        String refusal = refusalOf(claims, expected, list, at);
        if (refusal != null) {
            return new Judgement("not_licensed", refusal, null, Map.of());
        }
        String verdict = at < numberIn(claims, "exp") ? "valid" : "in_grace";
        String reason = list != null && at >= numberIn(list, "exp") ? "list_expired" : verdict;
        Map<String, Object> present = inForceAt(claims, at);
        return new Judgement(verdict, reason, textIn(present, "plan"), entitlementsIn(present));
    }

    /** The operator's list of void documents, with its `seq` to keep. */
    public static Map<String, Object> readRevocations(String text, List<Map<String, Object>> keys) throws NotGenuine {
        Map<String, Object> list = readSigned(text, keys, LIST).claims();
        if (list == null || !areAll(List.of("seq", "iat", "exp"), list, HostdeskLicence::isWhole)
            || !(list.get("revoked") instanceof List<?> revoked) || !(list.get("withdrawn_keys") instanceof List<?>)
            || !revoked.stream().allMatch(HostdeskLicence::isEntry)) {
            throw new NotGenuine("unknown_claims");
        }
        return list;
    }

    /** The keys of the text of jwks.json. */
    public static List<Map<String, Object>> keysIn(String jwks) {
        List<Map<String, Object>> keys = new ArrayList<>();
        for (Object key : listIn(parse(jwks) instanceof Map<?, ?> set ? cast(set) : Map.of(), "keys")) {
            if (key instanceof Map<?, ?> one) {
                keys.add(cast(one));
            }
        }
        return keys;
    }

    private static Map<String, Object> listOf(Expected expected) throws NotGenuine {
        if (expected.revocations == null) {
            return null;
        }
        Map<String, Object> list;
        try {
            list = readRevocations(expected.revocations, expected.keys);
        } catch (NotGenuine error) {
            throw new NotGenuine("list_not_genuine");
        }
        if (numberIn(list, "seq") < expected.leastSeq) {
            throw new NotGenuine("list_rolled_back");
        }
        return list;
    }

    private static String refusalOf(Map<String, Object> claims, Expected expected, Map<String, Object> list, double at) {
        String status = textIn(claims, "status");
        String machine = textIn(claims, "machine");
        if (expected.issuer != null && !expected.issuer.equals(claims.get("iss"))) {
            return "other_issuer";
        }
        if (expected.licenceKey != null && !expected.licenceKey.equals(claims.get("licence_key"))) {
            return "other_licence_key";
        }
        // A document without a product is of the one that was there before there were several.
        String product = textIn(claims, "product") == null ? "server" : textIn(claims, "product");
        if (expected.product != null && !expected.product.equals(product)) {
            return "other_product";
        }
        if (numberIn(claims, "iat") > at + CLOCK_LEEWAY) {
            return "not_yet_issued";
        }
        if (!fitsAddress(claims, expected)) {
            return "address_mismatch";
        }
        if (expected.fingerprint != null && machine != null && !machine.equals(expected.fingerprint)) {
            return "other_machine";
        }
        if (list != null && isRevoked(claims, listIn(list, "revoked"))) {
            return "revoked";
        }
        if (List.of("free", "suspended", "too_many_machines").contains(status)) {
            return status;
        }
        // A paid period ends at its end: the grace below covers a network that is down, not an unpaid bill.
        if (!status.equals("active") || !(at < secondsOf(claims.get("paid_until")))) {
            return "expired";
        }
        if (at >= numberIn(claims, "exp") + numberIn(claims, "grace_s")) {
            return "document_expired";
        }
        Map<String, Object> entitlements = entitlementsIn(inForceAt(claims, at));
        return expected.requires.stream().allMatch(key -> isAllowed(entitlements.get(key))) ? null : "entitlement_missing";
    }

    private static boolean isRevoked(Map<String, Object> claims, List<?> revoked) {
        for (Object one : revoked) {
            List<?> entry = (List<?>) one;
            if (entry.get(0).equals(claims.get("sub")) && numberIn(claims, "iat") < (Double) entry.get(1)) {
                return true;
            }
        }
        return false;
    }

    private static boolean fitsAddress(Map<String, Object> claims, Expected expected) {
        if (expected.ipv4 == null && expected.ipv6 == null) {
            return true;
        }
        if (claims.get("ipv4") != null && expected.ipv4 != null && expected.ipv4.contains(claims.get("ipv4"))) {
            return true;
        }
        Matcher licensed = NETWORK.matcher(String.valueOf(textIn(claims, "ipv6")));
        byte[] network = licensed.matches() ? bytesOf(licensed.group(1)) : null;
        int bits = network == null || licensed.group(2) == null ? 128 : Integer.parseInt(licensed.group(2));
        if (network == null || bits > 128 || expected.ipv6 == null) {
            return false;
        }
        return expected.ipv6.stream().map(HostdeskLicence::bytesOf).anyMatch(one -> one != null && isWithin(one, network, bits));
    }

    private static boolean isWithin(byte[] address, byte[] network, int bits) {
        for (int bit = 0; bit < bits; bit++) {
            if (((address[bit / 8] ^ network[bit / 8]) >> (7 - bit % 8) & 1) != 0) {
                return false;
            }
        }
        return true;
    }

    /** The 16 bytes of an IPv6 address; null if it is none. InetAddress would ask the network for the address of a name. */
    private static byte[] bytesOf(String text) {
        String[] halves = text.split("::", -1);
        if (halves.length > 2 || text.contains(":::") || !text.matches("[0-9A-Fa-f:.]+")) {
            return null;
        }
        List<Integer> groups = groupsOf(halves[0], halves.length == 1);
        List<Integer> last = halves.length == 1 ? List.of() : groupsOf(halves[1], true);
        if (groups == null || last == null || groups.size() + last.size() > (halves.length == 1 ? 8 : 7)
            || (halves.length == 1 && groups.size() != 8)) {
            return null;
        }
        ByteBuffer bytes = ByteBuffer.allocate(16);
        groups.forEach(group -> bytes.putShort(group.shortValue()));
        bytes.position(16 - 2 * last.size());
        last.forEach(group -> bytes.putShort(group.shortValue()));
        return bytes.array();
    }

    /** The groups of a part of an address, of which the last one may be an IPv4. */
    private static List<Integer> groupsOf(String text, boolean mayEndAsIpv4) {
        List<Integer> groups = new ArrayList<>();
        String[] parts = text.isEmpty() ? new String[0] : text.split(":", -1);
        for (int place = 0; place < parts.length; place++) {
            String part = parts[place];
            if (part.matches("[0-9A-Fa-f]{1,4}")) {
                groups.add(Integer.parseInt(part, 16));
            } else if (mayEndAsIpv4 && place == parts.length - 1
                && part.matches("((25[0-5]|2[0-4]\\d|1\\d\\d|[1-9]?\\d)(\\.(?!$)|$)){4}")) {
                int[] bytes = Arrays.stream(part.split("\\.")).mapToInt(Integer::parseInt).toArray();
                groups.add(bytes[0] * 256 + bytes[1]);
                groups.add(bytes[2] * 256 + bytes[3]);
            } else {
                return null;
            }
        }
        return groups;
    }

    /** What counts at a time: the newest of `next` that has begun, or the claims themselves. */
    private static Map<String, Object> inForceAt(Map<String, Object> claims, double at) {
        Map<String, Object> present = claims;
        for (Object one : listIn(claims, "next")) {
            Map<String, Object> span = cast((Map<?, ?>) one);
            if (secondsOf(span.get("from")) <= at) {
                present = span;
            }
        }
        return present;
    }

    private static boolean isAllowed(Object value) {
        return value instanceof Double number ? number > 0
            : value instanceof String text ? !text.isEmpty() : Boolean.TRUE.equals(value);
    }

    /** The header chooses among our keys and nothing more: the way of signing is fixed (RFC 8725). */
    private static Signed readSigned(String document, List<Map<String, Object>> keys, Kind kind) throws NotGenuine {
        String text = trimmed(document);
        String[] parts = text.split("\\.", -1);
        boolean fits = parts.length == 3 && text.length() <= kind.longest() && Arrays.stream(parts).allMatch(HostdeskLicence::isPart);
        Map<String, Object> header = fits ? objectIn(parts[0]) : null;
        if (header == null) {
            throw new NotGenuine("malformed");
        }
        if (!"EdDSA".equals(header.get("alg"))) {
            throw new NotGenuine("wrong_algorithm");
        }
        if (!kind.type().equals(header.get("typ")) || header.containsKey("crit")) {
            throw new NotGenuine("wrong_type");
        }
        Map<String, Object> key = keys.stream()
            .filter(one -> header.get("kid") instanceof String kid && kid.equals(one.get("kid"))).findFirst()
            .orElseThrow(() -> new NotGenuine("unknown_key"));
        if (Boolean.TRUE.equals(key.get("withdrawn"))) {
            throw new NotGenuine("withdrawn_key");
        }
        byte[] signature = Base64.getUrlDecoder().decode(parts[2]);
        // Decoding forgives stray bits; a signature has one spelling only.
        if (signature.length != 64 || !encoded(signature).equals(parts[2])
            || !isSigned(publicKeyOf(key), parts[0] + "." + parts[1], signature)) {
            throw new NotGenuine("wrong_signature");
        }
        return new Signed((String) header.get("kid"), objectIn(parts[1]));
    }

    private static byte[] publicKeyOf(Map<String, Object> key) throws NotGenuine {
        boolean fits = "OKP".equals(key.get("kty")) && "Ed25519".equals(key.get("crv"))
            && key.get("x") instanceof String x && isPart(x);
        byte[] bytes = fits ? Base64.getUrlDecoder().decode((String) key.get("x")) : new byte[0];
        if (bytes.length != 32) {
            throw new NotGenuine("unusable_key");
        }
        return bytes;
    }

    private static boolean isSigned(byte[] key, String text, byte[] signature) {
        byte[] encoded = Arrays.copyOf(KEY_PREFIX, KEY_PREFIX.length + key.length);
        System.arraycopy(key, 0, encoded, KEY_PREFIX.length, key.length);
        try {
            PublicKey known = KeyFactory.getInstance("Ed25519").generatePublic(new X509EncodedKeySpec(encoded));
            Signature verifier = Signature.getInstance("Ed25519");
            verifier.initVerify(known);
            verifier.update(text.getBytes(StandardCharsets.US_ASCII));
            return verifier.verify(signature);
        } catch (GeneralSecurityException error) {
            return false;
        }
    }

    private static boolean areClaims(Map<String, Object> claims) {
        return claims != null
            && areAll(List.of("iss", "sub", "licence_key", "status"), claims, String.class::isInstance)
            && List.of("ipv4", "plan", "paid_until", "edition").stream().allMatch(name -> claims.containsKey(name)
                && (claims.get(name) == null || claims.get(name) instanceof String))
            && areAll(List.of("iat", "exp", "grace_s", "ver"), claims, HostdeskLicence::isWhole)
            // Later versions only add claims to those of version 2.
            && numberIn(claims, "ver") >= 2 && claims.get("entitlements") instanceof Map<?, ?>
            && claims.get("next") instanceof List<?> next && next.stream().allMatch(HostdeskLicence::isBeginning);
    }

    private static boolean isBeginning(Object one) {
        return one instanceof Map<?, ?> span && areAll(List.of("from", "plan", "edition"), cast(span), String.class::isInstance)
            && span.get("entitlements") instanceof Map<?, ?>;
    }

    private static boolean isEntry(Object one) {
        return one instanceof List<?> entry && entry.size() >= 2 && entry.get(0) instanceof String && isWhole(entry.get(1));
    }

    private static boolean areAll(List<String> names, Map<String, Object> claims, java.util.function.Predicate<Object> fits) {
        return names.stream().allMatch(name -> fits.test(claims.get(name)));
    }

    private static boolean isWhole(Object value) {
        return value instanceof Double number && number == Math.rint(number) && Math.abs(number) <= 9_007_199_254_740_991.0;
    }

    /** A time in UTC as seconds; what cannot be read has never come and never comes. */
    private static double secondsOf(Object value) {
        Matcher matcher = MOMENT.matcher(value instanceof String text ? text : "");
        if (!matcher.matches()) {
            return Double.NaN;
        }
        try {
            long whole = LocalDateTime.parse(matcher.group(1)).toEpochSecond(ZoneOffset.UTC);
            return whole + (matcher.group(2) == null ? 0 : Double.parseDouble("0" + matcher.group(2)));
        } catch (DateTimeException error) {
            return Double.NaN;
        }
    }

    private static String trimmed(String text) {
        return text.replaceAll("^[ \\t\\r\\n]+|[ \\t\\r\\n]+$", "");
    }

    private static boolean isPart(String text) {
        return PART.matcher(text).matches() && text.length() % 4 != 1;
    }

    private static String encoded(byte[] bytes) {
        return Base64.getUrlEncoder().withoutPadding().encodeToString(bytes);
    }

    /** A part of a document as an object; null where it is none. */
    static Map<String, Object> objectIn(String part) {
        try {
            byte[] bytes = Base64.getUrlDecoder().decode(part);
            String text = StandardCharsets.UTF_8.newDecoder().decode(ByteBuffer.wrap(bytes)).toString();
            return parse(text) instanceof Map<?, ?> object ? cast(object) : null;
        } catch (CharacterCodingException | IllegalArgumentException error) {
            return null;
        }
    }

    private static double numberIn(Map<String, Object> claims, String name) {
        return (Double) claims.get(name);
    }

    private static String textIn(Map<String, Object> claims, String name) {
        return claims.get(name) instanceof String text ? text : null;
    }

    private static List<?> listIn(Map<String, Object> claims, String name) {
        return claims.get(name) instanceof List<?> list ? list : List.of();
    }

    private static Map<String, Object> entitlementsIn(Map<String, Object> claims) {
        return cast((Map<?, ?>) claims.get("entitlements"));
    }

    @SuppressWarnings("unchecked")
    private static Map<String, Object> cast(Map<?, ?> map) {
        return (Map<String, Object>) map;
    }

    /** Reads JSON: maps, lists, texts, Doubles, Booleans and null. Throws IllegalArgumentException for what is none. */
    static Object parse(String text) {
        Json json = new Json(text);
        Object value = json.value(0);
        json.end();
        return value;
    }

    /** A reader of JSON (RFC 8259), because Java has none. */
    private static final class Json {
        private static final int DEEPEST = 100;
        private static final Pattern NUMBER = Pattern.compile("-?(0|[1-9][0-9]*)(\\.[0-9]+)?([eE][+-]?[0-9]+)?");
        private final String text;
        private int at;

        Json(String text) {
            this.text = text;
        }

        Object value(int depth) {
            if (depth > DEEPEST) {
                throw new IllegalArgumentException("too deep");
            }
            switch (next()) {
                case '{': return object(depth);
                case '[': return list(depth);
                case '"': return string();
                case 't': return word("true", true);
                case 'f': return word("false", false);
                case 'n': return word("null", null);
                default: return number();
            }
        }

        void end() {
            space();
            if (at < text.length()) {
                throw new IllegalArgumentException("more text");
            }
        }

        private Map<String, Object> object(int depth) {
            Map<String, Object> object = new LinkedHashMap<>();
            take('{');
            if (next() != '}') {
                do {
                    next();
                    String name = string();
                    take(':');
                    object.put(name, value(depth + 1));
                } while (another('}'));
            } else {
                take('}');
            }
            return object;
        }

        private List<Object> list(int depth) {
            List<Object> list = new ArrayList<>();
            take('[');
            if (next() != ']') {
                do {
                    list.add(value(depth + 1));
                } while (another(']'));
            } else {
                take(']');
            }
            return list;
        }

        private boolean another(char end) {
            boolean more = next() == ',';
            take(more ? ',' : end);
            return more;
        }

        private String string() {
            StringBuilder string = new StringBuilder();
            take('"');
            for (char letter = letter(); letter != '"'; letter = letter()) {
                if (letter < ' ') {
                    throw new IllegalArgumentException("a control character");
                }
                string.append(letter == '\\' ? escaped() : letter);
            }
            return string.toString();
        }

        private char escaped() {
            char letter = letter();
            int place = "\"\\/bfnrt".indexOf(letter);
            if (place >= 0) {
                return "\"\\/\b\f\n\r\t".charAt(place);
            }
            if (letter != 'u' || at + 4 > text.length() || !text.substring(at, at + 4).matches("[0-9A-Fa-f]{4}")) {
                throw new IllegalArgumentException("an unknown escape");
            }
            at += 4;
            return (char) Integer.parseInt(text.substring(at - 4, at), 16);
        }

        private Double number() {
            Matcher number = NUMBER.matcher(text).region(at, text.length());
            if (!number.lookingAt()) {
                throw new IllegalArgumentException("no value");
            }
            at = number.end();
            return Double.valueOf(number.group());
        }

        private Object word(String word, Object value) {
            if (!text.startsWith(word, at)) {
                throw new IllegalArgumentException("no value");
            }
            at += word.length();
            return value;
        }

        private char letter() {
            if (at >= text.length()) {
                throw new IllegalArgumentException("cut");
            }
            return text.charAt(at++);
        }

        private char next() {
            space();
            return at < text.length() ? text.charAt(at) : '\0';
        }

        private void take(char expected) {
            if (next() != expected) {
                throw new IllegalArgumentException("not " + expected);
            }
            at++;
        }

        private void space() {
            while (at < text.length() && " \t\r\n".indexOf(text.charAt(at)) >= 0) {
                at++;
            }
        }
    }
}
