// The authorities that this computer trusts and Node does not know: asked away from the host's loop, for a system may take
// many seconds to say (macOS weighs each certificate, and may go to the network for it).
import { getCACertificates } from 'node:tls'
import { parentPort } from 'node:worker_threads'

const known = new Set(getCACertificates('default'))
parentPort?.postMessage(getCACertificates('system').filter((certificate) => !known.has(certificate)))
