# The console, where partners run their business.

# Around every page
console-menu = Menü
console-overview = Übersicht
console-events = Veranstaltungen
console-shop = Shop
console-choose = Ihre Partner
to-console = Zur Konsole
console-denied-hint = Bitten Sie, wer diesen Partner verwaltet, um eine Einladung, oder melden Sie sich mit einem anderen Konto an.
account = Konto
sign-out = Abmelden
back = Zurück
save = Speichern
save-another = Speichern und weitere anlegen
leave = So lassen
edit = Bearbeiten
copy = Kopieren
older = Ältere
page-before = Vorige Seite
page-after = Nächste Seite
theirs = Jemand anderes schrieb:
take-theirs = Das nehmen
merged = Jemand anderes hat dies inzwischen gespeichert.
merged-hint = Nichts ist verloren: Was nur einer geändert hat, steht hier zusammen. Wo es beide waren, steht Ihres, und das andere darunter. Speichern Sie noch einmal, wenn es stimmt.

# Accounts
sign-in = Anmelden
sign-in-hint = Für Veranstalter und Vorverkaufsstellen. Wer Karten gekauft hat, braucht kein Konto.
register = Registrieren
register-hint = In wenigen Minuten ist Ihre erste Veranstaltung im Verkauf.
register-mailed = Eine E-Mail ist unterwegs an { $name }. Ihr Link öffnet Ihr Konto.
no-account = Noch kein Konto?
confirm-address = Adresse bestätigen
confirm-address-hint = Geben Sie das Passwort ein, mit dem Sie sich registriert haben.
forgotten = Passwort vergessen?
forgotten-hint = Wir schicken Ihnen einen Link, mit dem Sie ein neues setzen.
forgotten-mailed = Wenn es ein Konto für { $name } gibt, ist ein Link unterwegs. Er gilt eine Stunde.
new-password = Neues Passwort setzen
new-password-hint = Alle Ihre Sitzungen enden; danach melden Sie sich mit dem neuen an.
password = Passwort
password-hint = Mindestens 8 Zeichen.
factor-code = Code des zweiten Faktors
factor-code-hint = Die sechs Ziffern Ihrer App oder ein Wiederherstellungscode. Geben Sie auch das Passwort noch einmal ein.

# Partners
invitations = Einladungen
invitation-of = { $name } lädt Sie ein, mitzuverwalten.
accept = Annehmen
decline = Ablehnen
new-partner = Partner anlegen
new-partner-hint = Ein Partner ist Ihre Organisation: Er bringt Veranstaltungen in den Verkauf oder verkauft die anderer.
partner-name = Name
partner-name-hint = Wie Käufer ihn sehen sollen.
partner-roles = Was er tut
role-organizer = Veranstaltet
role-organizer-hint = Bringt eigene Veranstaltungen in den Verkauf.
role-agent = Verkauft für andere
role-agent-hint = Verkauft Veranstaltungen, für die er mit Veranstaltern einig ist.

# The overview
overview-empty = Ihre erste Veranstaltung
overview-empty-hint = Titel, Zeit und Karten genügen. Niemand sieht sie, bevor Sie sie veröffentlichen.
shop-closed = Ihr Shop nimmt noch keine Bestellungen an
shop-closed-hint = Wählen Sie, wie bezahlt wird, und öffnen Sie ihn.
open-shop = Shop öffnen
figure-events = Im Verkauf
figure-taken = Karten verkauft oder gehalten
figure-left = Noch da
drafts = Entwürfe

# Events
event = Veranstaltung
state = Stand
taken = Vergeben
events-all = Alle
events-empty = Hier ist keine Veranstaltung
events-newest-offered = Zur Wahl stehen nur die neuesten { $count } Veranstaltungen.
events-newest-searched = Durchsucht werden nur die neuesten { $count } Veranstaltungen.
events-count = { $count ->
    [one] { $count } Veranstaltung
   *[other] { $count } Veranstaltungen
}
event-state-draft = Entwurf
event-state-public = Im Verkauf
event-state-finished = Vorbei
event-state-canceled = Abgesagt
new-event = Neue Veranstaltung
copy-event = Veranstaltung kopieren
copy-hint = Kategorien mit ihren heutigen Preisen und Gutscheincodes kommen mit. Die Zeit ist neu.
edit-event = Veranstaltung bearbeiten
form-what = Was
form-more = Alter und Grenzen
event-title = Titel
event-desc = Beschreibung
event-desc-hint = Leere Zeilen trennen Absätze.
translations = In weiteren Sprachen
translations-hint = Wer eine dieser Sprachen liest, sieht auf Seiten, in E-Mails und auf Karten, was hier steht. Wo ein Feld leer ist, und in allen anderen Sprachen, gelten die Texte oben.
event-start = Beginn
event-end = Ende
event-end-hint = Damit endet der Verkauf. Drei Stunden nach Beginn, wenn Sie es leer lassen.
event-zone-hint = Wie die Uhr am Ort der Veranstaltung geht.
place = Ort
place-none = Keiner oder ein neuer
place-new = Ein neuer Ort
place-name = Name des Ortes
place-address = Straße und Hausnummer
place-city = Stadt
place-city-hint = Sie bestimmt die Zeitzone. Bei mehreren gleichen Namens: „Paris, US“.
age-rating = Ab welchem Alter
age-rating-hint = 0: für alle.
tickets-limit = Karten je Bestellung
tickets-limit-hint = Höchstens; 100, wenn leer.
hold-minutes = Minuten gehalten
hold-minutes-hint = Bis die Zahlung beginnt; 15, wenn leer.
refund-policy = Zurückgegebene Karten
policy-of-partner = Wie bei allen Veranstaltungen dieses Partners
policy-own = Eine eigene Regel
policy-kept = Einbehalten, in Prozent
policy-days = Bis so viele Tage vorher
policy-after-start = Auch nach Beginn
preview = Vorschau
preview-notice = Das ist eine Vorschau: Käufer sehen diese Seite noch nicht.
see-in-shop = Im Shop ansehen
steps = Bis zum Verkauf
steps-optional = Wenn Sie mögen
step-done = erledigt
step-time = Wann sie stattfindet
step-sets = Karten mit einem Preis
step-place = Wo sie stattfindet
step-picture = Ein Bild
step-promocode = Gutscheincodes
step-shop = Der Shop ist offen und sagt, wie bezahlt wird
step-shop-hint = Nur dann können Leute hier selbst kaufen. An der Abendkasse und über Vorverkaufsstellen verkaufen Sie auch ohne.
publish = Veröffentlichen
publish-not-yet = Zeit oder Karten fehlen noch.
event-ends = Verkauf beenden
stop-sale = Aus dem Verkauf nehmen
cancel-event = Absagen
cancel-event-what = { $name } wird endgültig abgesagt.
cancel-event-hint = Der Verkauf endet, und jede bezahlte Bestellung erhält einen Antrag auf ihr Geld. Das lässt sich nicht zurücknehmen.
picture = Bild
picture-file = Ein Bild von Ihrem Gerät
picture-hint = PNG, JPEG, WebP oder GIF bis 5 MB. Es wird um die Mitte auf 16 zu 9 zugeschnitten, in den Größen des Shops angelegt, und vergisst, wo es entstand.
picture-upload = Hochladen

# Sets
sets = Karten
sets-empty = Noch keine Karten: Eine Kategorie sind Karten zu einem Preis, etwa Parkett oder Studierende.
new-set = Neue Kategorie
set-name = Kategorie
set-name-hint = Etwa Parkett, Galerie, Studierende.
set-amount = Wie viele Karten
set-desc = Was Käufer wissen sollten
set-desc-hint = Etwa: Stehplätze, ab 18.
price = Preis
price-hint = 0 für freie Karten.
price-from-time = ab { $name }:
later-prices = Preise im Lauf der Zeit
later-prices-hint = Ab jeder dieser Zeiten kostet es etwas anderes. Zeiten von { $name }.
price-number = Preis { $name }
price-begins = Ab
price-then = Preis ab dann
remove-set = Kategorie entfernen

# Promo codes
promocodes = Gutscheincodes
promocodes-empty = Noch keine.
new-promocode = Neuer Gutscheincode
promocode-hint = Was eingegeben wird, groß oder klein.
promocode-uses = Benutzt
promocode-limits = Grenzen
promocode-amount = Bestellungen, die ihn nutzen können
promocode-amount-hint = Beliebig viele, wenn leer.
promocode-min = Karten der Bestellung, mindestens
promocode-until = Bis wann
promocode-sets = Für welche Karten
promocode-sets-hint = Für alle, wenn keine gewählt ist.
discount-percent = Prozent
discount-fixed = Ein Betrag je Karte
discount-value = Wie viel

# The shop
shop-sale = Wie gekauft wird
shop-open = Der Shop ist offen
shop-open-hint = Alle können bestellen, was im Verkauf ist.
shop-payments = Wie bezahlt wird
pay-transfer-about = Sie bestätigen, was angekommen ist. Dazu gehört das Konto unten.
pay-stripe-about = Dazu gehört ein Konto bei Stripe: siehe Geld.
pay-no-stripe = Das wird Käufern noch nicht angeboten: Das Konto bei Stripe fehlt. Inhaber nennen es unter
pay-no-account = Das wird Käufern noch nicht angeboten: Das Konto unten fehlt.
pay-not-here = Das wird Käufern nicht angeboten: Der Betreiber dieses Servers hat es nicht eingerichtet.
pay-door-about = Sie bestätigen, was Sie erhalten haben.
shop-iban = IBAN
shop-iban-hint = Wohin überwiesen wird.
shop-holder = Kontoinhaber
shop-bic = BIC
shop-days = Tage, die eine Überweisung dauern darf
shop-about-partner = Über Sie
partner-desc = Über Sie, wie Käufer es lesen
partner-www = Website
partner-email = E-Mail
partner-email-hint = Käufer sehen sie nicht.

# What was done
done-canceled = Es ist storniert.
done-confirmed = Ihre Adresse ist bestätigt.
done-copied = Kopiert: Sehen Sie alles durch.
done-created = Angelegt.
done-declined = Die Einladung ist abgelehnt.
done-held-back = { $count ->
    [0] Keine ist zurückgehalten: Mehr waren nicht frei.
    [one] Nur eine ist zurückgehalten: Mehr waren nicht frei.
   *[other] Nur { $count } sind zurückgehalten: Mehr waren nicht frei.
}
done-left-out = { $count ->
    [one] Eine Kategorie oder ein Gutscheincode ließ sich nicht kopieren.
   *[other] { $count } Kategorien und Gutscheincodes ließen sich nicht kopieren.
}
done-password = Ihr neues Passwort gilt. Melden Sie sich damit an.
done-picture = Das Bild ist da.
done-published = Sie ist im Verkauf.
done-saved = Gespeichert.
done-signed-out = Sie sind abgemeldet.
done-stopped = Sie ist aus dem Verkauf.

# What is refused
denied-fields = Unten fehlt etwas oder stimmt nicht.
denied-other = Das wurde abgelehnt: { $name }
denied-amount-below-sold = Weniger Karten, als verkauft, gehalten und gesperrt sind, geht nicht.
denied-amount-below-uses = So oft wurde er schon benutzt.
denied-not-image = Das ist kein Bild dieser Arten.
denied-picture-large = Die Datei ist zu groß.
denied-no-picture = Wählen Sie zuerst eine Datei.
denied-credential = E-Mail, Passwort oder Code stimmt nicht.
denied-password-wrong = Das Passwort stimmt nicht.
denied-email-required = Die E-Mail des Kunden fehlt.
denied-email-taken = Zu dieser E-Mail gibt es ein Konto: Melden Sie sich an.
denied-email-unconfirmed = Bestätigen Sie zuerst Ihre Adresse mit dem Link in der E-Mail.
denied-event-canceled = Eine abgesagte Veranstaltung bleibt abgesagt.
denied-lifetime = Sagen Sie zuerst, wann sie stattfindet.
denied-forbidden = Das dürfen Sie nicht.
denied-has-orders = Karten davon sind verkauft oder gehalten.
denied-sent-before = Dieses Formular wurde schon mit anderem Inhalt gesendet. Laden Sie die Seite neu.
denied-partner-foreign = Diesen Partner verwalten andere
denied-partner-inactive = Dieser Partner ist geschlossen oder gesperrt
denied-partner-factor = Dieser Partner verlangt einen zweiten Faktor
denied-changed = Jemand anderes hat es inzwischen geändert: Sehen Sie noch einmal nach.
denied-promocode-taken = Diesen Code hat die Veranstaltung schon.
denied-quota = Ihr Speicher ist voll.
denied-by-invitation = Hier kann sich nur registrieren, wer eingeladen wurde.
denied-registration-closed = Hier kann sich niemand registrieren; fragen Sie den Betreiber.
denied-rule-sold = Zu diesem Preis wurde schon verkauft, deshalb bleibt er bis zu seinem Ende. Ändern Sie den Preis an dem Tag, ab dem der neue gelten soll.
denied-rules-overlap = Preise überschneiden sich in der Zeit.
denied-factor-required = Ihr Konto hat einen zweiten Faktor.
denied-token = Dieser Link gilt nicht mehr. Fordern Sie einen neuen an.
denied-too-often = Zu oft. Warten Sie einen Moment.

# What is wrong with a field
wrong-field = Das passt hier nicht.
wrong-other = Das passt nicht: { $name }.
wrong-required = Das wird gebraucht.
wrong-password = 8 bis 128 Zeichen.
wrong-email = Das ist keine E-Mail-Adresse.
wrong-long = Zu lang, oder mit Zeichen, die hier nicht gehen.
wrong-number = Hier gehört eine ganze Zahl hin, im Rahmen des Möglichen.
wrong-time = Das ist keine Zeit.
wrong-times = Das Ende muss nach dem Beginn sein.
wrong-order = Jede Zeit muss nach der vorigen sein.
wrong-percent = Hier gehören 0 bis 100 Prozent hin.
wrong-money = Hier gehört ein Betrag hin, etwa 25,50.
wrong-iban = Das ist keine IBAN.
wrong-city = Eine solche Stadt gibt es nicht.
wrong-city-similar = Eine solche Stadt gibt es nicht. Ähnliche: { $name }
