import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;

/** Runs the shared cases, or those of the file VECTORS: java -cp . TestVectors */
final class TestVectors {
    @SuppressWarnings("unchecked")
    public static void main(String[] arguments) throws Exception {
        String file = System.getenv().getOrDefault("VECTORS", "../../vectors.json");
        String text = Files.readString(Path.of(file));
        Map<String, Object> vectors = (Map<String, Object>) HostdeskLicence.parse(text);
        List<Map<String, Object>> cases = (List<Map<String, Object>>) vectors.get("cases");
        List<Map<String, Object>> keys = HostdeskLicence.keysIn(text);
        int wrong = 0;
        for (Map<String, Object> one : cases) {
            Map<String, Object> given = (Map<String, Object>) one.get("expected");
            HostdeskLicence.Expected expected = new HostdeskLicence.Expected();
            expected.keys = keys;
            expected.at = (Double) given.get("at");
            expected.revocations = (String) given.get("revocations");
            expected.leastSeq = (Double) given.getOrDefault("least_seq", 0.0);
            expected.ipv4 = (List<String>) given.get("ipv4");
            expected.ipv6 = (List<String>) given.get("ipv6");
            expected.fingerprint = (String) given.get("fingerprint");
            expected.licenceKey = (String) given.get("licence_key");
            expected.product = (String) given.get("product");
            expected.issuer = (String) given.get("issuer");
            expected.requires = (List<String>) given.getOrDefault("requires", List.of());
            Map<String, Object> answer = (Map<String, Object>) one.get("answer");
            HostdeskLicence.Judgement right = new HostdeskLicence.Judgement((String) answer.get("verdict"),
                (String) answer.get("reason"), (String) answer.get("plan"), (Map<String, Object>) answer.get("entitlements"));
            HostdeskLicence.Judgement got = HostdeskLicence.judge((String) one.get("document"), expected);
            if (!got.equals(right)) {
                wrong++;
                System.err.println(one.get("name") + ": expected " + right + ", got " + got);
            }
        }
        System.out.println(cases.size() - wrong + " of " + cases.size());
        System.exit(wrong > 0 ? 1 : 0);
    }
}
