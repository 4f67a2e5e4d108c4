// Types of what the benchmark uses, so that type checking needs neither package installed.
import type { ReactNode } from 'react'

interface MarkdownProps {
  readonly children: string
}

export function ReactMarkdown(props: MarkdownProps): ReactNode
export function Streamdown(props: MarkdownProps): ReactNode
