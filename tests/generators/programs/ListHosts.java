import org.openapitools.client.ApiClient;
import org.openapitools.client.api.ServersApi;
import org.openapitools.client.auth.HttpBearerAuth;
import org.openapitools.client.model.Host;

public class ListHosts {
    public static void main(String[] args) throws Exception {
        ApiClient client = new ApiClient().setBasePath(System.getenv("HOSTDESK_URL"));
        ((HttpBearerAuth) client.getAuthentication("token")).setBearerToken(System.getenv("HOSTDESK_TOKEN"));
        ServersApi servers = new ServersApi(client);
        for (Host host : servers.listHosts(100, null, null, null, null, null, null, null).getItems())
            System.out.println(host.getId() + " " + host.getName() + " " + (host.getIpv4() == null ? "-" : host.getIpv4()));
    }
}
