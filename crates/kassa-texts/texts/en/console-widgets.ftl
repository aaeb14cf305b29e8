# The shop on other sites, and what it says of a partner.

console-widgets = Other sites
widgets-hint = A piece of a page that sells your tickets on any site.
widgets-origins = Which sites may show the shop in a frame
widgets-empty = None yet.
widgets-all = Everything that you sell
widgets-snippet = For your page
widgets-snippet-hint = Put this where the tickets shall be shown. It needs no cookies and no program of yours.
widgets-remove = Take it back
widgets-remove-hint = Pages that have it sell nothing any more, at once. Orders stay.
new-widget = New piece
widgets-event = What it sells
shop-face = What buyers read and see
face-about = About you
face-about-hint = Above your events.
face-email = E-mail for buyers
face-phone = Telephone for buyers
face-accent = Colour
face-accent-hint = Of buttons and links, as #1f6f6b. It is made darker or lighter until it can be read.
face-terms = Your terms
face-terms-hint = Whoever buys accepts them.
shop-origins = Sites that may show the shop in a frame
shop-origins-hint = One address per line.

# What an event asks of those who buy
asking = What buyers are asked
asking-hint = Before they pay. Sales at the door ask nothing.
asking-name = Name
asking-phone = Telephone
asking-optional = They may give it
asking-required = They must give it
asking-hidden = It is not asked for
asking-names-until = Names on tickets can be changed until
asking-names-until-hint = Not at all, if empty.
asking-question = Question { $name }
asking-text = What is asked
asking-kind = Answered by
asking-kind-text = A line of text
asking-kind-choice = One of several
asking-kind-yes-no = Yes or no
asking-per = Asked
asking-per-order = Once for the order
asking-per-ticket = For each ticket
asking-options = What can be chosen, one per line
asking-must = It must be answered
