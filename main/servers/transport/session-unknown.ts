import { HostError } from '#app/errors.ts'

/** The server has not looked at what was sent: it does not know the session, or the revision, any more. A new one is begun. */
export const isSessionUnknown = (error: unknown): boolean =>
  error instanceof HostError &&
  error.code === 'server.connection-lost' &&
  (error.data['status'] === 404 || error.data['revision'] !== undefined)
