import org.openapitools.client.ApiClient;
import org.openapitools.client.api.ServersApi;
import org.openapitools.client.auth.HttpBearerAuth;

public class ListHosts {
    public static void main(String[] args) throws Exception {
        var client = new ApiClient().setBasePath(System.getenv("HOSTDESK_URL"));
        ((HttpBearerAuth) client.getAuthentication("token")).setBearerToken(System.getenv("HOSTDESK_TOKEN"));
        var page = new ServersApi(client).listHosts(100, null, null, null, null, null, null, null);
        for (var host : page.getItems())
            System.out.println(host.getId() + " " + host.getName() + " " + (host.getIpv4() == null ? "-" : host.getIpv4()));
    }
}
