import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.security.SecureRandom;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Base64;
import java.util.List;
import java.util.Map;

/**
 * Asks an installation of Hostdesk by licence key, for software that floats or has no agent. Stands beside HostdeskLicence.java. check()
 * takes a seat of a floating licence, or extends it; release() gives it back. Both throw an IOException where there is no answer.
 */
public final class HostdeskOnline {
    private HostdeskOnline() {}

    /**
     * With `keys` (the operator's) an answer is valid only if a document with their signature answers this very question; without them HTTPS
     * alone proves it. `fingerprint` is 64 hexadecimal digits that stay the same on this machine.
     */
    public static final class Question {
        public String server;
        public String licenceKey;
        public List<Map<String, Object>> keys;
        public String fingerprint;
        public String boot;
        public String product;
        public String hostname;
        public String ipv4;
        public String ipv6;
        public List<String> requires = List.of();
    }

    /** The seconds count from the answer: the clock of this machine may be wrong. */
    public record Lease(String until, String renewAt, long lastsS, long renewInS) {}

    /** `code` is valid, why not as the installation says it, unproven, or a reason of judge(). `lease` is null without a seat. */
    public record Answer(boolean valid, String code, String edition, Map<String, Object> entitlements, Lease lease, String document) {}

    private static final Duration LONGEST = Duration.ofSeconds(10);

    /** Says if the licence counts now. */
    public static Answer check(Question question) throws IOException, InterruptedException {
        byte[] random = new byte[16];
        new SecureRandom().nextBytes(random);
        String nonce = Base64.getUrlEncoder().withoutPadding().encodeToString(random);
        List<String> fields = named(question);
        add(fields, "product", question.product);
        add(fields, "hostname", question.hostname);
        add(fields, "ipv4", question.ipv4);
        add(fields, "ipv6", question.ipv6);
        add(fields, "nonce", nonce);
        fields.add("\"entitlements\":[" + String.join(",", question.requires.stream().map(HostdeskOnline::quoted).toList()) + "]");
        Map<String, Object> told = send(question.server, "validate", fields);
        boolean valid = Boolean.TRUE.equals(told.get("valid"));
        Proof proof = valid && question.keys != null ? proofOf(told, question, nonce) : new Proof((String) told.get("code"), Double.MAX_VALUE);
        Lease lease = valid && proof.code().equals("valid") ? leaseOf(told, proof.lastsS()) : null;
        @SuppressWarnings("unchecked")
        Map<String, Object> entitlements = (Map<String, Object>) told.get("entitlements");
        return new Answer(valid && proof.code().equals("valid"), proof.code(), (String) told.get("edition"), entitlements, lease,
            (String) told.get("document"));
    }

    /** Gives back the seat; true if this machine held one. */
    public static boolean release(Question question) throws IOException, InterruptedException {
        return Boolean.TRUE.equals(send(question.server, "release", named(question)).get("released"));
    }

    private record Proof(String code, double lastsS) {}

    /** The document is judged at its own time: it is as old as the question. */
    private static Proof proofOf(Map<String, Object> told, Question question, String nonce) {
        String document = told.get("document") instanceof String text ? text : "";
        String[] parts = document.split("\\.", -1);
        Map<String, Object> claims = parts.length == 3 ? HostdeskLicence.objectIn(parts[1]) : null;
        if (claims == null || !nonce.equals(claims.get("nonce")) || !(claims.get("iat") instanceof Double iat)
            || !(claims.get("exp") instanceof Double exp)) {
            return new Proof("unproven", 0);
        }
        HostdeskLicence.Expected expected = new HostdeskLicence.Expected();
        expected.keys = question.keys;
        expected.at = iat;
        expected.fingerprint = question.fingerprint;
        expected.product = question.product;
        expected.requires = question.requires;
        return new Proof(HostdeskLicence.judge(document, expected).reason(), exp - iat);
    }

    private static Lease leaseOf(Map<String, Object> told, double most) {
        if (!(told.get("lease") instanceof Map<?, ?> lease)) {
            return null;
        }
        return new Lease((String) lease.get("until"), (String) lease.get("renew_at"), (long) Math.min((Double) lease.get("lasts_s"), most),
            ((Double) lease.get("renew_in_s")).longValue());
    }

    private static List<String> named(Question question) {
        List<String> fields = new ArrayList<>();
        add(fields, "licence_key", question.licenceKey);
        add(fields, "fingerprint", question.fingerprint);
        add(fields, "boot", question.boot);
        return fields;
    }

    private static void add(List<String> fields, String name, String value) {
        if (value != null) {
            fields.add(quoted(name) + ":" + quoted(value));
        }
    }

    private static String quoted(String text) {
        StringBuilder quoted = new StringBuilder("\"");
        for (char letter : text.toCharArray()) {
            boolean isPlain = letter >= ' ' && letter <= '~' && letter != '"' && letter != '\\';
            quoted.append(isPlain ? String.valueOf(letter) : String.format("\\u%04x", (int) letter));
        }
        return quoted.append('"').toString();
    }

    private static Map<String, Object> send(String server, String path, List<String> fields) throws IOException, InterruptedException {
        HttpRequest request = HttpRequest.newBuilder(URI.create(server + "/api/licences/" + path + "/")).timeout(LONGEST)
            .header("content-type", "application/json").POST(HttpRequest.BodyPublishers.ofString("{" + String.join(",", fields) + "}")).build();
        HttpResponse<String> reply =
            HttpClient.newBuilder().connectTimeout(LONGEST).build().send(request, HttpResponse.BodyHandlers.ofString());
        if (reply.statusCode() != 200) {
            throw new IOException("the installation answered " + reply.statusCode());
        }
        try {
            @SuppressWarnings("unchecked")
            Map<String, Object> told = (Map<String, Object>) HostdeskLicence.parse(reply.body());
            return told;
        } catch (IllegalArgumentException | ClassCastException error) {
            throw new IOException("the installation gave no answer", error);
        }
    }
}
