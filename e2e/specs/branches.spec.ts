// Messages that are there: other words, another answer, the way between versions, deleting and bringing back; across reloads.
import type { Page } from '@playwright/test'
import { axeFindsNothing } from '../fixtures/axe.ts'
import { expect, test } from '../fixtures/model.ts'
import { composer, pickModel, send, turnEnds } from '../fixtures/steps.ts'

const editor = (page: Page) => page.getByRole('textbox', { name: 'Edit message' })
const versions = (page: Page, of: 'question' | 'answer') => page.getByRole('group', { name: `Versions of this ${of}` })
async function choose(page: Page, opener: string, item: string): Promise<void> {
  await page.getByRole('button', { name: opener }).last().click()
  await page.getByRole('menuitem', { name: item, exact: true }).click()
}

test('versions of a question and its answer stand side by side, and what is deleted comes back', async ({ app, model }) => {
  const { page } = app
  const answers = (first: string): void =>
    model.setRules([
      { when: 'first', steps: [{ say: first }] },
      { when: 'second', steps: [{ say: 'This is about the second.' }] },
    ])
  answers('This is about the first.')
  await pickModel(page, /Claude Large 1/)
  await send(page, 'the first one')
  await expect(page.getByText('This is about the first.')).toBeVisible()
  await turnEnds(page)

  // Other words, kept over a reload in the middle of writing them.
  await page.getByRole('button', { name: 'Edit message' }).click()
  await expect(editor(page)).toBeFocused()
  await expect
    .poll(async () => {
      await editor(page).fill('the second one')
      await page.reload()
      return editor(page).inputValue()
    })
    .toBe('the second one')
  await axeFindsNothing(page)
  await editor(page).press('Enter')
  await expect(page.getByText('This is about the second.')).toBeVisible()
  await expect(page.getByText('This is about the first.')).toHaveCount(0)
  await turnEnds(page)

  // From version to version by keyboard; the host remembers which is shown.
  await expect(versions(page, 'question')).toContainText('2 / 2')
  await versions(page, 'question').getByRole('button', { name: 'Previous version' }).focus()
  await page.keyboard.press('ArrowLeft')
  await expect(page.getByText('This is about the first.')).toBeVisible()
  await expect(versions(page, 'question').getByRole('button', { name: 'Previous version' })).toBeFocused()
  await page.reload()
  await expect(page.getByText('This is about the first.')).toBeVisible()
  await expect(versions(page, 'question')).toContainText('1 / 2')

  // Another answer; deleted, the one beside it is shown, and Undo brings it back.
  answers('Said otherwise.')
  await choose(page, 'Regenerate', 'Regenerate')
  await expect(page.getByText('Said otherwise.')).toBeVisible()
  await turnEnds(page)
  await expect(versions(page, 'answer')).toContainText('2 / 2')
  await choose(page, 'More about this answer', 'Delete answer')
  await expect(page.getByText('This is about the first.')).toBeVisible()
  await axeFindsNothing(page)
  await page.getByRole('button', { name: 'Undo' }).click()
  await expect(page.getByText('Said otherwise.')).toBeVisible()

  // A quote of it into the composer.
  await choose(page, 'More about this answer', 'Quote')
  await expect(composer(page)).toHaveValue('> Said otherwise.\n\n')
  await expect(composer(page)).toBeFocused()
  await composer(page).fill('')

  // A question with its answer; after a reload the chat's menu brings them back.
  await send(page, 'and the second')
  await expect(page.getByText('This is about the second.')).toBeVisible()
  await turnEnds(page)
  await choose(page, 'More about this message', 'Delete with its answer')
  await expect(page.getByText('This is about the second.')).toHaveCount(0)
  await page.reload()
  await expect(page.getByText('Said otherwise.')).toBeVisible()
  await expect(page.getByText('and the second')).toHaveCount(0)
  await choose(page, 'More about this chat', 'Restore the last deleted')
  await expect(page.getByText('This is about the second.')).toBeVisible()

  // What the model was last asked is one path, not the other.
  const asked = JSON.stringify(model.requests().at(-1)?.body['messages'])
  expect([asked.includes('Said otherwise.'), asked.includes('the second one')]).toEqual([true, false])
})

test('other words that are sent while the answer is being written stop it, and what it had said stays', async ({ app, model }) => {
  const { page } = app
  model.setRules([
    { when: 'first', steps: [{ say: 'Half of the first.', hold: 'rest', rest: 'And the rest.' }] },
    { when: 'second', steps: [{ say: 'This is about the second.' }] },
  ])
  await pickModel(page, /Claude Large 1/)
  await send(page, 'the first one')
  await expect(page.getByText('Half of the first.')).toBeVisible()
  await page.getByRole('button', { name: 'Edit message' }).click()
  await editor(page).fill('the second one')
  await expect(page.getByText('Sending stops the running answer.')).toBeVisible()
  await editor(page).press('Enter')
  await expect(page.getByText('This is about the second.')).toBeVisible()
  await turnEnds(page)
  await versions(page, 'question').getByRole('button', { name: 'Previous version' }).click()
  await expect(page.getByText('Half of the first.')).toBeVisible()
  await expect(page.getByText('You stopped it.')).toBeVisible()
})

test('two models answer one question at once; a reload keeps both, and one is kept by keyboard', async ({ app, model }) => {
  const { page } = app
  model.setRules([{ when: 'first', steps: [{ say: 'Half of the first.', hold: 'rest', rest: 'And the rest.' }] }])
  await pickModel(page, /Claude Large 1/)
  await page.locator('.composer').getByTitle('Model').click()
  await page.getByRole('menuitem', { name: 'Ask a second model too…' }).click()
  await page.getByRole('menuitemradio', { name: /Claude Small/ }).click()
  await send(page, 'the first one')
  const answer = (name: RegExp) => page.getByRole('group', { name: 'Two answers' }).getByRole('region', { name })
  await expect(answer(/Large/)).toContainText('Half of the first.')
  await expect(answer(/Small/)).toContainText('Half of the first.')
  await answer(/Small/).getByRole('button', { name: /^Stop/ }).click()
  await expect(answer(/Small/)).toContainText('You stopped it.')
  model.release('rest')
  await expect(answer(/Large/)).toContainText('And the rest.')
  await page.reload()
  await expect(answer(/Large/)).toContainText('And the rest.')
  await expect(answer(/Small/)).toContainText('You stopped it.')
  await axeFindsNothing(page)
  await answer(/Large/).getByRole('button', { name: /^Keep/ }).focus()
  await page.keyboard.press('Enter')
  await expect(composer(page)).toBeFocused()
  await expect(page.getByRole('group', { name: 'Two answers' })).toHaveCount(0)
  await expect(versions(page, 'answer')).toContainText('1 / 2')
  await expect(page.getByText('And the rest.')).toBeVisible()
})
