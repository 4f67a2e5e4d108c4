import { test as firstRun } from '../fixtures/app.ts'
import { axeFindings, axeFindsNothing } from '../fixtures/axe.ts'
import { expect, test } from '../fixtures/model.ts'
import { originOf } from '../fixtures/shells.ts'
import { allowAll, card, composer, openServers, pickModel, send, turnEnds } from '../fixtures/steps.ts'

const hostile = [
  '<img src=x onerror="document.title=1"> <script>document.title=1</script>',
  '',
  '![pixel](https://tracker.example/p.png) and [click](javascript:alert(1)) and [site](https://evil.example/path)',
  '',
  '<iframe src="https://evil.example"></iframe>',
].join('\n')

test('what a model writes is data: no markup, no fetch, no script', async ({ app, model }) => {
  const { page } = app
  const outside: string[] = []
  const problems: string[] = []
  const origin = originOf(page)
  page.on('request', (request) => {
    if (!request.url().startsWith(origin) && !/^(data|blob|app):/.test(request.url())) outside.push(request.url())
  })
  page.on('console', (message) => {
    if (message.type() === 'error') problems.push(message.text())
  })
  page.on('pageerror', (error) => problems.push(error.message))
  model.setRules([{ when: 'attack', steps: [{ say: hostile }] }])
  await pickModel(page, /Claude Large 1/)
  await send(page, 'attack')
  await expect(page.getByText('onerror')).toBeVisible()
  await turnEnds(page)
  await expect(page.locator('.prose img, .prose iframe, .prose script')).toHaveCount(0)
  await expect(page.locator('.prose a[href^="javascript"]')).toHaveCount(0)
  expect({ outside, problems, title: await page.title() }).toEqual({ outside: [], problems: [], title: expect.stringContaining('Assent') })
})

firstRun('axe finds nothing on the pages of the first run, and the page logs no error', async ({ app }) => {
  const { page } = app
  const problems: string[] = []
  page.on('console', (message) => {
    if (message.type() === 'error') problems.push(message.text())
  })
  page.on('pageerror', (error) => problems.push(error.message))
  await expect(composer(page)).toBeVisible()
  await axeFindsNothing(page)
  await send(page, 'List the sample invoices and add up the totals')
  await expect(card(page).first()).toBeVisible()
  await axeFindsNothing(page)
  await allowAll(page)
  await axeFindsNothing(page)
  await openServers(page, 'demo')
  await axeFindsNothing(page)
  for (const name of [/^Requests/, /^Activity/, /^Settings/]) {
    await page.getByRole('navigation', { name: 'Main' }).getByRole('link', { name }).click()
    await axeFindsNothing(page)
  }
  expect(problems).toEqual([])
  // What is wrong would be found.
  await page.evaluate(`document.querySelector('main').append(document.createElement('img'))`)
  expect(await axeFindings(page)).toEqual([['image-alt', ['<img>']]])
})

test('text cannot become markup, nor a policy be made that lets it', async ({ app }) => {
  const refusal = (work: () => unknown): string => {
    try {
      work()
      return 'done'
    } catch (error) {
      return error instanceof TypeError ? 'refused' : String(error)
    }
  }
  const tried = await app.page.evaluate(`(() => {
    const refusal = ${String(refusal)}
    return [
      refusal(() => { document.createElement('p').innerHTML = '<b>x</b>' }),
      refusal(() => trustedTypes.createPolicy('own', { createHTML: (text) => text })),
      refusal(() => { document.createElement('p').textContent = '<b>x</b>' }),
    ]
  })()`)
  expect(tried).toEqual(['refused', 'refused', 'done'])
})
