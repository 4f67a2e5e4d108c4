// Capabilities that a request needs: the server must have declared them (MCP, "Capability negotiation"), and its era must have the method.

import type { ServerCapabilities } from '@modelcontextprotocol/client'
import { HostError } from '#app/errors.ts'
import { t } from '#app/i18n/translate.ts'
import { ownMember } from '#app/json.ts'
import type { ServerCapability, Session } from '#app/server/server-state.ts'
import { offersTasks } from './task.ts'

/** `SKILLS_EXTENSION_ID` of the SDK, which the host does not load at its start. */
const skillsExtension = 'io.modelcontextprotocol/skills'

export interface Negotiated {
  readonly session: Pick<Session, 'era' | 'protocolVersion'>
  readonly capabilities: ServerCapabilities
}

type Offers = (negotiated: Negotiated) => boolean

const tools: Offers = ({ capabilities }) => capabilities.tools !== undefined
const prompts: Offers = ({ capabilities }) => capabilities.prompts !== undefined
const resources: Offers = ({ capabilities }) => capabilities.resources !== undefined
const subscriptions: Offers = ({ capabilities }) => capabilities.resources?.subscribe === true
const logging: Offers = ({ capabilities }) => capabilities.logging !== undefined
/** 2024-11-05 has completion, but no capability to declare it with. */
const completions: Offers = (negotiated) =>
  negotiated.capabilities.completions !== undefined ||
  (negotiated.session.protocolVersion === '2024-11-05' && (prompts(negotiated) || resources(negotiated)))

const needed: Readonly<Record<string, Offers>> = {
  'tools/list': tools,
  'tools/call': tools,
  'prompts/list': prompts,
  'prompts/get': prompts,
  'resources/list': resources,
  'resources/templates/list': resources,
  'resources/read': resources,
  'resources/subscribe': subscriptions,
  'resources/unsubscribe': subscriptions,
  'completion/complete': completions,
  'logging/setLevel': logging,
}

/** Taken out with 2026-07-28, where nothing is remembered of a connection. */
const legacyOnly: ReadonlySet<string> = new Set(['ping', 'logging/setLevel', 'resources/subscribe', 'resources/unsubscribe'])

type MissingCapability = 'not-declared' | 'not-in-era'

/** Why a request may not be sent; undefined: it may. Methods that no capability governs may always. */
export function missingCapabilityOf(method: string, negotiated: Negotiated): MissingCapability | undefined {
  if (negotiated.session.era === 'modern' && legacyOnly.has(method)) return 'not-in-era'
  return (ownMember(needed, method)?.(negotiated) ?? true) ? undefined : 'not-declared'
}

export const notOffered = (server: string, method: string, refusal: MissingCapability): HostError =>
  new HostError('server.not-offered', t`“${server}” does not support ${method}.`, { data: { server, method, reason: refusal } })

const named: Readonly<Record<ServerCapability, Offers>> = {
  'resource-subscriptions': subscriptions,
  logging,
  completions,
  skills: ({ capabilities }) => capabilities.extensions?.[skillsExtension] !== undefined,
  tasks: ({ session, capabilities }) => offersTasks(session, capabilities),
}

/** Lists capabilities that decide whether a page shows a control. */
export const serverCapabilitiesOf = (negotiated: Negotiated): ServerCapability[] =>
  (Object.keys(named) as ServerCapability[]).filter((offer) => named[offer](negotiated))
