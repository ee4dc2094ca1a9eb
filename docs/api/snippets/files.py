import json
import os
from urllib.request import Request, urlopen


def post(path, data, content_type):
    headers = {'authorization': 'Bearer ' + os.environ['HOSTDESK_TOKEN'], 'content-type': content_type}
    return json.load(urlopen(Request(os.environ['HOSTDESK_URL'] + path, data, headers)))


form = b'--X\r\ncontent-disposition: form-data; name="file"; filename="report.txt"\r\n\r\n%s\r\n--X--\r\n'
file = post('/api/attachments/', form % b'It stops after an hour.', 'multipart/form-data; boundary=X')

ticket = {
    'topic': 'technical',
    'subject': 'A report',
    'message': 'It is in the file.',
    'attachment_ids': [file['id']],
}
print('#%d' % post('/api/tickets/', json.dumps(ticket).encode(), 'application/json')['number'])
