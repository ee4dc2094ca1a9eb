import com.helger.ubl21.UBL21Marshaller;
import java.io.File;
import java.util.Arrays;
import org.mustangproject.validator.ZUGFeRDValidator;

/** Judges each PDF (PDF/A-3 and the XML inside) and each XRechnung of a folder; prints one line a file. */
public class Check {
  public static void main(String[] folders) throws Exception {
    File[] files = new File(folders[0]).listFiles();
    Arrays.sort(files);
    for (File file : files) {
      ZUGFeRDValidator validator = new ZUGFeRDValidator();
      String report = validator.validate(file.getPath());
      boolean valid = validator.wasCompletelyValid() && fitsSchema(file);
      System.out.println((valid ? "valid " : "INVALID ") + file.getName());
      if (!valid) System.out.println(report);
    }
  }

  /** By the XML schema of UBL 2.1. */
  private static boolean fitsSchema(File file) throws Exception {
    if (!file.getName().endsWith(".xml")) return true;
    return UBL21Marshaller.invoice().read(file) != null || UBL21Marshaller.creditNote().read(file) != null;
  }
}
