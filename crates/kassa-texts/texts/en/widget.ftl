# The shop in pages of other sites.

widget-close = Close
widget-loading = One moment …
widget-refused = The tickets cannot be shown in this page.
widget-window = Open them in a new window

error-token = Tickets cannot be sold on this page
error-token-hint = The page names its seller by a token that this shop does not know, or that was taken back. Whoever runs the page gets a new one from the seller.
error-shop-closed = This shop is closed just now
error-shop-closed-hint = The seller does not sell to people at the moment. Orders that were made stay as they are.
