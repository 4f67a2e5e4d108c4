import { describe, expect, it } from 'vitest'
import { manualClock } from '#main/base/manual-clock.testing.ts'
import { addressesOf, createNetworkMonitor, type Interfaces } from './network-monitor.ts'

const at = (address: string, internal = false): Interfaces[string] => [
  { address, internal, netmask: '', mac: '', cidr: null, family: 'IPv4' },
]

/** `sleep`: time passes while no timer runs. */
function care() {
  const manual = manualClock(0)
  let slept = 0
  const clock = { now: () => manual.now() + slept, after: manual.after }
  const kit = { interfaces: { lo: at('127.0.0.1', true) } as Interfaces, looks: 0 }
  const told: [name: string, at: number][] = []
  const made = createNetworkMonitor({
    clock,
    random: () => 0.5,
    interfaces: () => {
      kit.looks += 1
      return kit.interfaces
    },
  })
  const tell = (name: string) => (): void => void told.push([name, clock.now()])
  return { manual, clock, kit, told, tell, made, sleep: (ms: number) => (slept += ms) }
}

it.each([
  [{ lo: at('127.0.0.1', true) }, ''],
  [{ lo: at('127.0.0.1', true), wlan0: at('fe80::1') }, ''],
  [{ eth0: at('169.254.3.4') }, ''],
  [{ wlan0: at('192.168.0.7'), eth0: at('10.0.0.2'), none: undefined }, '10.0.0.2 192.168.0.7'],
  [{}, ''],
])('of %j these lead out: “%s”', (interfaces, addresses) => {
  expect(addressesOf(interfaces)).toBe(addresses)
})

describe('the network', () => {
  it('is looked at only while somebody waits for it', () => {
    const { manual, kit, made, tell, told } = care()
    expect([made.isOffline(), manual.pending]).toEqual([true, 0])
    const undo = made.whenNetworkChanges(tell('a'))
    const before = kit.looks
    manual.advance(10_000)
    expect([kit.looks - before, told]).toEqual([5, []])
    undo()
    manual.advance(10_000)
    expect([kit.looks - before, manual.pending]).toEqual([5, 0])
  })

  it('that is back is told once to each who waits', () => {
    const { manual, kit, made, tell, told } = care()
    for (const name of ['a', 'b']) made.whenNetworkChanges(tell(name))
    kit.interfaces = { wlan0: at('192.168.0.7') }
    manual.advance(60_000)
    expect([told.map(([name]) => name), manual.pending, made.isOffline()]).toEqual([['a', 'b'], 0, false])
  })

  it('that is another counts as back, one that goes does not', () => {
    const { manual, kit, made, tell, told } = care()
    kit.interfaces = { wlan0: at('192.168.0.7') }
    made.whenNetworkChanges(tell('a'))
    kit.interfaces = {}
    manual.advance(4000)
    expect(told).toEqual([])
    kit.interfaces = { wlan0: at('10.1.1.1') }
    manual.advance(2000)
    expect(told).toHaveLength(1)
  })
})

describe('another network', () => {
  const wifi = { wlan0: at('192.168.0.7') }

  it('casts doubt on what is open, once for each change, and by a look every ten seconds', () => {
    const { manual, kit, made } = care()
    kit.interfaces = wifi
    const doubts: string[] = []
    made.onDoubt((doubt) => doubts.push(doubt))
    const before = kit.looks
    manual.advance(60_000)
    expect([kit.looks - before, doubts]).toEqual([6, []])
    kit.interfaces = { wlan0: at('10.1.1.1') }
    manual.advance(60_000)
    expect(doubts).toEqual(['network'])
    kit.interfaces = { ...kit.interfaces, tun0: at('10.8.0.2') }
    manual.advance(60_000)
    expect(doubts).toEqual(['network', 'network'])
  })

  it('is not one that is gone, only one that is back', () => {
    const { manual, kit, made, tell, told } = care()
    kit.interfaces = wifi
    made.onDoubt(tell('a'))
    kit.interfaces = {}
    manual.advance(60_000)
    expect(told).toEqual([])
    kit.interfaces = wifi
    manual.advance(60_000)
    expect(told).toHaveLength(1)
  })

  it('is one doubt where the computer slept as well', () => {
    const { manual, kit, made, sleep } = care()
    kit.interfaces = wifi
    const doubts: string[] = []
    made.onDoubt((doubt) => doubts.push(doubt))
    sleep(3_600_000)
    kit.interfaces = { wlan0: at('10.1.1.1') }
    manual.advance(60_000)
    expect(doubts).toEqual(['woke'])
  })

  it('has a hundred servers asked one after another', () => {
    const { manual, clock, kit, made } = care()
    kit.interfaces = wifi
    const asked: number[] = []
    for (let n = 0; n < 100; n += 1) made.onDoubt(() => void made.inTurn(() => asked.push(clock.now())))
    kit.interfaces = { wlan0: at('10.1.1.1') }
    manual.advance(120_000)
    expect([asked.length, new Set(asked).size]).toEqual([100, 100])
  })
})

describe('sleep', () => {
  it('is noticed by a jump of the clock, once, and by nothing else', () => {
    const { manual, made, tell, told, sleep } = care()
    made.onDoubt(tell('a'))
    manual.advance(120_000)
    expect(told).toEqual([])
    sleep(3_600_000)
    manual.advance(60_000)
    expect(told.map(([name]) => name)).toEqual(['a'])
  })

  it('is nobody’s business any more when nobody waits', () => {
    const { manual, made, tell, told, sleep } = care()
    const undo = [made.onDoubt(tell('a')), made.onDoubt(tell('b'))]
    expect(manual.pending).toBe(1)
    for (const each of undo) each()
    expect(manual.pending).toBe(0)
    sleep(3_600_000)
    manual.advance(60_000)
    expect(told).toEqual([])
  })
})

it('who comes in turn comes one after another, with a gap', () => {
  const { manual, made, tell, told } = care()
  for (const name of ['a', 'b', 'c']) made.inTurn(tell(name))
  made.inTurn(tell('never'))()
  manual.advance(10_000)
  expect(told).toEqual([
    ['a', 300],
    ['b', 600],
    ['c', 900],
  ])
})
