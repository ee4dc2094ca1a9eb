import os
from hostdesk_client import AuthenticatedClient
from hostdesk_client.api.servers import list_hosts
from hostdesk_client.models import HostPage

client = AuthenticatedClient(base_url=os.environ['HOSTDESK_URL'], token=os.environ['HOSTDESK_TOKEN'])
page = list_hosts.sync(client=client, limit=100)
if not isinstance(page, HostPage):
    raise SystemExit(page)
for host in page.items:
    print(host.id, host.name, host.ipv4 or '-')
