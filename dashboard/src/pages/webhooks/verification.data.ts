import type { CodeExample } from '../../parts/code-examples';

/** Example receivers that verify the signature and timestamp of a message, which also prevents replays. */
export const VERIFICATIONS: readonly CodeExample[] = [
  {
    id: 'typescript',
    label: 'TypeScript',
    install: 'npm install standardwebhooks',
    code: `import { createServer } from 'node:http';
import { Webhook } from 'standardwebhooks';

const webhook = new Webhook(process.env.GATEWAY_WEBHOOK_SECRET!); // whsec_…

createServer(async (req, res) => {
  const chunks: Buffer[] = [];
  for await (const chunk of req) chunks.push(chunk);
  // Verify the raw body: parsed and re-serialized JSON breaks the signature.
  const body = Buffer.concat(chunks).toString('utf8');
  try {
    const event = webhook.verify(body, req.headers as Record<string, string>) as { id: string; type: string };
    console.log(event.type, event.id); // the same event can arrive twice
    res.writeHead(204).end();
  } catch {
    res.writeHead(400).end();
  }
}).listen(3000);
`,
  },
  {
    id: 'python',
    label: 'Python',
    install: 'pip install standardwebhooks flask',
    code: `import os

from flask import Flask, request
from standardwebhooks.webhooks import Webhook, WebhookVerificationError

app = Flask(__name__)
webhook = Webhook(os.environ["GATEWAY_WEBHOOK_SECRET"])  # whsec_…


@app.post("/hooks/gateway")
def receive():
    try:
        # Verify the raw body: parsed and re-serialized JSON breaks the signature.
        event = webhook.verify(request.get_data(), dict(request.headers))
    except WebhookVerificationError:
        return "", 400
    print(event["type"], event["id"])  # the same event can arrive twice
    return "", 204
`,
  },
];
