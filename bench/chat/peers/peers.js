// The libraries that the chat is measured beside. Their packages are not among the product's own: see `install.ts`.
export { default as ReactMarkdown } from 'react-markdown'
export { Streamdown } from 'streamdown'
