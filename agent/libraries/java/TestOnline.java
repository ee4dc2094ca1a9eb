import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;

/** Takes, extends and gives back a seat at SERVER with LICENCE_KEY, and prints what it hears. */
final class TestOnline {
    public static void main(String[] arguments) throws Exception {
        List<Map<String, Object>> keys = HostdeskLicence.keysIn(Files.readString(Path.of(System.getenv("JWKS"))));
        HostdeskOnline.Question one = question("a", keys);
        HostdeskOnline.Question other = question("b", keys);
        one.requires = List.of("größe");
        HostdeskOnline.Answer answer = HostdeskOnline.check(one);
        System.out.println(answer.code() + " " + answer.lease().lastsS() + " " + answer.lease().renewInS());
        System.out.println(HostdeskOnline.check(other).code());
        System.out.println(HostdeskOnline.release(one) + " " + HostdeskOnline.check(other).code());
        System.out.println(HostdeskOnline.check(question("b", List.of())).code());
        System.out.println(HostdeskOnline.release(other) + " " + HostdeskOnline.release(other));
    }

    private static HostdeskOnline.Question question(String letter, List<Map<String, Object>> keys) {
        HostdeskOnline.Question question = new HostdeskOnline.Question();
        question.server = System.getenv("SERVER");
        question.licenceKey = System.getenv("LICENCE_KEY");
        question.keys = keys;
        question.fingerprint = letter.repeat(64);
        return question;
    }
}
