/** What someone without the cookie sees. It holds no secret and nothing of the request. */
export const refusalPage = `<!doctype html>
<html lang="en">
<meta charset="utf-8">
<meta name="viewport" content="width=device-width">
<title>Assent</title>
<h1>Assent does not know this page</h1>
<p>Open Assent with the link that its terminal shows. Each link works once.</p>
<p>For a new link, press Enter in the terminal where Assent runs, or start it again.</p>
</html>
`
