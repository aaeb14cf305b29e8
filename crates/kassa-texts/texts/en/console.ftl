# The console, where partners run their business.

# Around every page
console-menu = Menu
console-overview = Overview
console-events = Events
console-shop = Shop
console-choose = Your partners
to-console = To the console
console-denied-hint = Ask whoever manages this partner to invite you, or sign in with another account.
account = Account
sign-out = Sign out
back = Back
save = Save
save-another = Save and add another
leave = Leave as it is
edit = Edit
copy = Copy
older = Older
page-before = Previous page
page-after = Next page
theirs = Somebody else wrote:
take-theirs = Take theirs
merged = Somebody else has saved this meanwhile.
merged-hint = Nothing is lost: what only one of you has changed is put together here. Where both have, yours stands, with theirs beneath. Save again when it is right.

# Accounts
sign-in = Sign in
sign-in-hint = For organizers and agents. Whoever has bought tickets needs no account.
register = Register
register-hint = In a few minutes your first event is on sale.
register-mailed = A mail is on its way to { $name }. Its link opens your account.
no-account = No account yet?
confirm-address = Confirm the address
confirm-address-hint = Enter the password with which you registered.
forgotten = Forgotten your password?
forgotten-hint = We mail you a link that sets a new one.
forgotten-mailed = If there is an account for { $name }, a link is on its way. It is good for an hour.
new-password = Set a new password
new-password-hint = All your sessions end; then you sign in with the new one.
password = Password
password-hint = At least 8 characters.
factor-code = Code of your second factor
factor-code-hint = The six digits of your app, or a recovery code. Enter the password again, too.

# Partners
invitations = Invitations
invitation-of = { $name } invites you to manage it.
accept = Accept
decline = Decline
new-partner = Make a partner
new-partner-hint = A partner is your organization: it puts events on sale, or sells those of others.
partner-name = Name
partner-name-hint = As buyers shall see it.
partner-roles = What it does
role-organizer = Organizes events
role-organizer-hint = It puts its own events on sale.
role-agent = Sells for others
role-agent-hint = It sells events of organizers it has agreed with.

# The overview
overview-empty = Put your first event on sale
overview-empty-hint = A title, a time and tickets are enough. Nobody sees it until you publish it.
shop-closed = Your shop takes no orders yet
shop-closed-hint = Choose how people pay, and open it.
open-shop = Open the shop
figure-events = Events on sale
figure-taken = Tickets sold or held
figure-left = Left
drafts = Drafts

# Events
event = Event
state = State
taken = Taken
events-all = All
events-empty = No event is here
events-newest-offered = Only the newest { $count } events are offered.
events-newest-searched = Only the newest { $count } events are searched.
events-count = { $count ->
    [one] { $count } event
   *[other] { $count } events
}
event-state-draft = Draft
event-state-public = On sale
event-state-finished = Over
event-state-canceled = Canceled
new-event = New event
copy-event = Copy an event
copy-hint = Sets with their present prices and promo codes come along. The time is new.
edit-event = Edit the event
form-what = What
form-more = Age and limits
event-title = Title
event-desc = Description
event-desc-hint = Empty lines separate paragraphs.
translations = In other languages
translations-hint = Whoever reads one of these languages sees what you write here, on pages, in mails and on tickets. Where a field is empty, and for all other languages, the texts above are shown.
event-start = Begins
event-end = Ends
event-end-hint = Sales end with it. Three hours after it begins, if you leave it empty.
event-zone-hint = As the clock shows it at the place of the event.
place = Place
place-none = None, or a new one
place-new = A new place
place-name = Name of the place
place-address = Street and number
place-city = City
place-city-hint = It tells the time zone. Where several have that name: “Paris, US”.
age-rating = From which age
age-rating-hint = 0: for everybody.
tickets-limit = Tickets of an order
tickets-limit-hint = At most; 100 if empty.
hold-minutes = Minutes held
hold-minutes-hint = Until payment begins; 15 if empty.
refund-policy = Returned tickets
policy-of-partner = As for all events of this partner
policy-own = A rule of its own
policy-kept = Kept of the price, in percent
policy-days = Until how many days before
policy-after-start = Also after it has begun
preview = Preview
preview-notice = This is a preview: buyers do not see this page yet.
see-in-shop = See it in the shop
steps = Until it is on sale
steps-optional = If you like
step-done = done
step-time = When it takes place
step-sets = Tickets with a price
step-place = Where it takes place
step-picture = A picture
step-promocode = Promo codes
step-shop = The shop is open, and says how to pay
step-shop-hint = Only then can people buy here themselves. You can sell at the door and through agents without it.
publish = Publish
publish-not-yet = A time and tickets are still missing.
event-ends = End the sale
stop-sale = Take it off sale
cancel-event = Call it off
cancel-event-what = { $name } will be canceled for good.
cancel-event-hint = Sales end, and each paid order gets a request for its money. This cannot be undone.
picture = Picture
picture-file = A picture from your device
picture-hint = PNG, JPEG, WebP or GIF of at most 5 MB. It is cut to 16 to 9 around the middle, made in the sizes of the shop, and forgets where it was taken.
picture-upload = Upload

# Sets
sets = Tickets
sets-empty = No tickets yet: a set is tickets at one price, such as stalls or students.
new-set = New set
set-name = Set
set-name-hint = Such as stalls, gallery, students.
set-amount = How many tickets
set-desc = What buyers should know
set-desc-hint = Such as: standing, from 18.
price = Price
price-hint = 0 for free tickets.
price-from-time = from { $name }:
later-prices = Prices over time
later-prices-hint = From each of these times on it costs something else. Times of { $name }.
price-number = Price { $name }
price-begins = From
price-then = Price from then on
remove-set = Remove the set

# Promo codes
promocodes = Promo codes
promocodes-empty = None yet.
new-promocode = New promo code
promocode-hint = What people type, in small or capital letters.
promocode-uses = Used
promocode-limits = Limits
promocode-amount = Orders that can use it
promocode-amount-hint = Any number, if empty.
promocode-min = Tickets of an order, at least
promocode-until = Until when
promocode-sets = For which tickets
promocode-sets-hint = For all, if none is chosen.
discount-percent = Percent
discount-fixed = A sum for each ticket
discount-value = How much

# The shop
shop-sale = How people buy
shop-open = The shop is open
shop-open-hint = Everybody can order what is on sale.
shop-payments = How people pay
pay-transfer-about = You confirm what has arrived. It needs the account below.
pay-stripe-about = It needs an account at Stripe: see Money.
pay-no-stripe = Buyers are not offered this yet: the account at Stripe is missing. An owner names it under
pay-no-account = Buyers are not offered this yet: the account below is missing.
pay-not-here = Buyers are not offered this: whoever runs this server has not set it up.
pay-door-about = You confirm what you were given.
shop-iban = IBAN
shop-iban-hint = Where transfers go.
shop-holder = Holder of the account
shop-bic = BIC
shop-days = Days that a transfer may take
shop-about-partner = About you
partner-desc = About you, as buyers read it
partner-www = Web site
partner-email = E-mail
partner-email-hint = Buyers do not see it.

# What was done
done-canceled = It was canceled.
done-confirmed = Your address is confirmed.
done-copied = Copied: give it a time and look it over.
done-created = Done.
done-declined = The invitation was declined.
done-held-back = { $count ->
    [0] None is held back: no more were free.
    [one] Only one is held back: no more were free.
   *[other] Only { $count } are held back: no more were free.
}
done-left-out = { $count ->
    [one] One of its sets or promo codes could not be copied.
   *[other] { $count } of its sets and promo codes could not be copied.
}
done-password = Your new password holds. Sign in with it.
done-picture = The picture is there.
done-published = It is on sale.
done-saved = Saved.
done-signed-out = You are signed out.
done-stopped = It is off sale.

# What is refused
denied-fields = Something is missing or wrong below.
denied-other = That was refused: { $name }
denied-amount-below-sold = Fewer tickets than are sold, held and blocked cannot be.
denied-amount-below-uses = It was used more often than that.
denied-not-image = That is no picture of these kinds.
denied-picture-large = The file is too large.
denied-no-picture = Choose a file first.
denied-credential = E-mail, password or code is wrong.
denied-password-wrong = The password is wrong.
denied-email-required = The e-mail of the customer is missing.
denied-email-taken = There is an account with this e-mail: sign in.
denied-email-unconfirmed = Confirm your address first, by the link in the mail.
denied-event-canceled = A canceled event stays canceled.
denied-lifetime = Say first when it takes place.
denied-forbidden = You may not do that.
denied-has-orders = Tickets of it are sold or held.
denied-sent-before = This form was sent before, with other contents. Load the page anew.
denied-partner-foreign = This partner is managed by others
denied-partner-inactive = This partner was closed or suspended
denied-partner-factor = This partner asks for a second factor
denied-changed = Somebody else has changed it meanwhile: look again.
denied-promocode-taken = The event has this code already.
denied-quota = Your storage is full.
denied-by-invitation = Only those who were invited can register here.
denied-registration-closed = Nobody can register here; ask the operator.
denied-rule-sold = Tickets were sold at this price, so it stays as it is until it ends. Change the price on the day from which the new one shall hold.
denied-rules-overlap = Prices overlap in time.
denied-factor-required = Your account has a second factor.
denied-token = This link is no longer good. Ask for a new one.
denied-too-often = Too often. Wait a moment, then try again.

# What is wrong with a field
wrong-field = This does not fit here.
wrong-other = This { $name }.
wrong-required = This is needed.
wrong-password = 8 to 128 characters.
wrong-email = This is no e-mail address.
wrong-long = Too long, or with signs that cannot be here.
wrong-number = A whole number is needed, within what is possible.
wrong-time = This is no time.
wrong-times = It has to end after it begins.
wrong-order = Each time has to be after the one before.
wrong-percent = A percentage from 0 to 100 is needed.
wrong-money = A sum is needed, such as 25.50.
wrong-iban = This is no IBAN.
wrong-city = There is no such city.
wrong-city-similar = There is no such city. Similar ones: { $name }
