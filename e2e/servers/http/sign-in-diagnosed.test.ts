// What the doctor says of a sign-in that came to nothing, of real servers and issuers.
import { expect, it } from 'vitest'
import type { DoctorReport } from '#app/server/doctor.ts'
import { browserMs } from '#main/servers/auth/authorization-request.ts'
import { eventually } from '#main/servers/lifecycle/servers.testing.ts'
import { closeAfterEach, host, movableClock, person, type Signing, serveResource } from './sign-in-support.ts'

closeAfterEach()

async function failed(servers: Signing): Promise<DoctorReport> {
  await expect(servers.start('raw')).rejects.toBeDefined()
  const report = servers.doctor('raw')
  expect(report.diagnosis?.actions[0]).toMatchObject({ kind: 'retry' })
  expect(servers.state('raw')).toMatchObject({ kind: 'failed', diagnosis: report.diagnosis })
  return report
}
const sentence = ({ diagnosis }: DoctorReport): string => `${diagnosis?.message} ${diagnosis?.why} ${diagnosis?.remedy}`

it('that the person did not want is told as their choice', async () => {
  const { diagnosis } = await failed(host(await serveResource(), { broker: person('deny') }))
  expect(diagnosis).toMatchObject({ code: 'sign-in-refused', tone: 'warn' })
})

it('that was denied on the page is told with who denied it', async () => {
  const resource = await serveResource()
  resource.issuer.behave.person = 'refuses'
  const report = await failed(host(resource))
  expect(report.diagnosis?.code).toBe('sign-in-failed')
  expect(sentence(report)).toContain(new URL(resource.issuer.issuer).host)
})

it('for which the issuer does not know us leads to how we are known there', async () => {
  const resource = await serveResource()
  resource.issuer.behave.tokenError = 'invalid_client'
  const servers = host(resource)
  await expect(servers.start('raw')).rejects.toBeDefined()
  expect(servers.doctor('raw').diagnosis).toMatchObject({
    code: 'sign-in-failed',
    actions: [{ kind: 'edit', field: 'oauth' }, { kind: 'retry' }],
  })
})

it('from which the browser did not come back is told with what to do where it runs elsewhere, and how long it took', async () => {
  const resource = await serveResource()
  resource.issuer.behave.person = 'leaves'
  const clock = movableClock()
  const servers = host(resource, { clock })
  const starting = failed(servers)
  await eventually(() => expect(clock.times(browserMs)).toBe(true))
  clock.lapse(browserMs)
  const { diagnosis, steps } = await starting
  expect(diagnosis).toMatchObject({ code: 'sign-in-timeout', tone: 'warn' })
  expect(steps.map(({ name }) => name)).toContain('sign-in')
})
