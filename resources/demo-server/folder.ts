// The one place that touches the disk. Everything it reads and writes lies directly in the folder it was given: names
// that could lead elsewhere, links and whatever is not a plain file are refused.
import { constants, watch } from 'node:fs'
import { link, lstat, mkdir, open, readdir, rename, rm, unlink, writeFile } from 'node:fs/promises'
import { extname, join } from 'node:path'
import { z } from 'zod'
import { formatInvoice, type Invoice, parseInvoice } from './invoice.ts'
import { fileNameProblem } from './names.ts'
import { sampleInvoices } from './samples.ts'

const largestInvoice = 64_000
const bookingsFile = 'bookings.json'

const booking = z.object({
  room: z.string(),
  day: z.string(),
  start: z.string(),
  people: z.number(),
  name: z.string(),
  catering: z.boolean(),
  notes: z.string(),
})
type Booking = z.infer<typeof booking>

/** What a person or a model did that cannot be done; its message says why and is theirs to read. */
export class Refusal extends Error {}

export interface InvoiceFolder {
  /** By date, then by number; `month` as in 2026-09. */
  list(month?: string): Promise<Invoice[]>
  /** Its text too. Throws a Refusal when there is no such invoice. */
  read(file: string): Promise<{ readonly invoice: Invoice; readonly text: string }>
  /** Throws a Refusal and changes nothing when a name is not allowed, missing or taken. */
  rename(file: string, newName: string): Promise<void>
  /** Returns how many bookings there are now. */
  book(booking: Booking): Promise<number>
  /** Tells the number of an invoice whose file was written, by anybody, some moments after. Returns its undo. */
  watch(onWritten: (number: string) => void): () => void
}

/** One change of a file makes several events. */
const togetherMs = 50

/** Creates the folder, and the samples in it when it is empty. */
export async function openFolder(path: string): Promise<InvoiceFolder> {
  await mkdir(path, { recursive: true })
  if ((await readdir(path)).length === 0)
    for (const sample of sampleInvoices) await writeFile(join(path, sample.file), formatInvoice(sample), { flag: 'wx' })
  let booked = Promise.resolve(0)

  const read = async (file: string): Promise<{ invoice: Invoice; text: string }> => {
    refuseBadName(file)
    const text = await readPlainFile(join(path, file))
    const invoice = text === undefined ? undefined : parseInvoice(file, text)
    if (invoice === undefined || text === undefined) throw new Refusal(`There is no invoice in a file named “${file}”.`)
    return { invoice, text }
  }

  const addBooking = async (next: Booking): Promise<number> => {
    const file = join(path, bookingsFile)
    const before = parseBookings(await readPlainFile(file))
    const all = [...before, next]
    const temporary = join(path, `.${bookingsFile}.${process.pid}`)
    await rm(temporary, { force: true })
    await writeFile(temporary, `${JSON.stringify(all, null, 2)}\n`, { flag: 'wx' })
    await rename(temporary, file)
    return all.length
  }

  return {
    async list(month) {
      const found: Invoice[] = []
      for (const entry of await readdir(path, { withFileTypes: true })) {
        if (!entry.isFile() || entry.name === bookingsFile || fileNameProblem(entry.name) !== undefined) continue
        const text = await readPlainFile(join(path, entry.name))
        const invoice = text === undefined ? undefined : parseInvoice(entry.name, text)
        if (invoice !== undefined && (month === undefined || invoice.date.startsWith(`${month}-`))) found.push(invoice)
      }
      return found.sort((a, b) => compare(a.date, b.date) || compare(a.number, b.number))
    },
    read,
    async rename(file, newName) {
      await read(file)
      refuseBadName(newName)
      if (extname(newName) !== extname(file)) throw new Refusal(`The new name must keep the ending “${extname(file)}”.`)
      const from = join(path, file)
      const to = join(path, newName)
      if (await exists(to)) throw new Refusal(`There is already a file named “${newName}”. Nothing was changed.`)
      await moveWithoutReplacing(from, to, newName)
    },
    book(next) {
      booked = booked.catch(() => 0).then(() => addBooking(next))
      return booked
    },
    watch(onWritten) {
      const later = new Map<string, NodeJS.Timeout>()
      const look = (file: string): void => {
        later.delete(file)
        read(file).then(
          ({ invoice }) => onWritten(invoice.number),
          () => undefined, // It is no invoice, or not any more.
        )
      }
      // Whoever only watches keeps no process going.
      const watcher = watch(path, { persistent: false }, (_event, file) => {
        if (file === null) return
        clearTimeout(later.get(file))
        later.set(file, setTimeout(look, togetherMs, file).unref())
      })
      watcher.on('error', () => watcher.close()) // The folder is gone: nothing is left to tell.
      return () => {
        watcher.close()
        for (const timer of later.values()) clearTimeout(timer)
      }
    },
  }
}

const compare = (a: string, b: string): number => (a < b ? -1 : a > b ? 1 : 0)

function refuseBadName(name: string): void {
  const problem = name === bookingsFile ? 'is not an invoice' : fileNameProblem(name)
  if (problem !== undefined) throw new Refusal(`The name ${JSON.stringify(name)} ${problem}.`)
}

const exists = (path: string): Promise<boolean> =>
  lstat(path).then(
    () => true,
    () => false,
  )

/** Undefined: it is missing, a link, not a plain file or too large. */
async function readPlainFile(path: string): Promise<string | undefined> {
  const handle = await open(path, constants.O_RDONLY | (constants.O_NOFOLLOW ?? 0)).catch(() => undefined)
  if (handle === undefined) return undefined
  try {
    const [byHandle, byName] = await Promise.all([handle.stat(), lstat(path)])
    if (!byHandle.isFile() || byName.isSymbolicLink() || byHandle.size > largestInvoice) return undefined
    return await handle.readFile('utf8')
  } finally {
    await handle.close()
  }
}

/** `rename` would replace a file that appears meanwhile; a hard link does not. */
async function moveWithoutReplacing(from: string, to: string, name: string): Promise<void> {
  try {
    await link(from, to)
  } catch (error) {
    const code = (error as NodeJS.ErrnoException).code
    if (code === 'EEXIST') throw new Refusal(`There is already a file named “${name}”. Nothing was changed.`)
    if (code !== 'EPERM' && code !== 'ENOTSUP' && code !== 'ENOSYS') throw error
    return rename(from, to) // this disk has no hard links
  }
  await unlink(from)
}

function parseBookings(text: string | undefined): Booking[] {
  if (text === undefined) return []
  try {
    return z.array(booking).catch([]).parse(JSON.parse(text))
  } catch {
    return [] // a broken file is replaced: these are samples
  }
}
