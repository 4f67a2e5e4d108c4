// Reads the system's certificate authorities that Node does not know, in a thread: a system may take many seconds (macOS evaluates
// each certificate, and may use the network).
import { getCACertificates } from 'node:tls'
import { parentPort } from 'node:worker_threads'

const known = new Set(getCACertificates('default'))
parentPort?.postMessage(getCACertificates('system').filter((certificate) => !known.has(certificate)))
