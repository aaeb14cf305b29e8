# Der Warenkorb, die Kasse und die Seite einer Bestellung.

choose = Anzahl
choose-of = Anzahl { $name }
cart-button = Weiter
cart-closed = Karten für diese Veranstaltung werden hier nicht verkauft.

order-title = Bestellung { $count }
order-cart = Ihre Karten sind reserviert
order-cart-hint = Niemand kann sie Ihnen wegnehmen, während Sie die Bestellung abschließen.
order-awaiting = Wir warten auf Ihre Zahlung
order-awaiting-hint = Ihre Karten bleiben bis zum unten genannten Zeitpunkt Ihre.
order-unpaid = Die Zahlung hat nicht geklappt
order-unpaid-hint = Es wurde nichts abgebucht, und Ihre Karten sind weiter reserviert. Bitte versuchen Sie es noch einmal oder zahlen Sie anders.
order-paid = Bis bald!
order-paid-hint = Alles ist bezahlt. Zeigen Sie Ihre Karten am Einlass, auf Papier oder auf dem Telefon.
order-called-off = Diese Veranstaltung fällt aus
order-called-off-hint = Ihre Karten brauchen Sie nicht mehr. Wie Sie Ihr Geld zurückbekommen, teilt Ihnen der Veranstalter mit; unten können Sie darum bitten.
order-returned = Alle Karten wurden zurückgegeben
order-returned-hint = Zu dieser Bestellung gehören keine Karten mehr.
order-canceled = Diese Bestellung wurde storniert
order-canceled-hint = Es wurde nichts abgebucht, und die Karten sind wieder frei.
order-expired = Die Zeit für diese Bestellung ist abgelaufen
order-expired-hint = Wir haben die Karten so lange wie möglich für Sie gehalten; nun sind sie wieder im Verkauf. Falls Sie bezahlt haben, findet Ihr Geld die Bestellung: Sie bekommt ihre Karten, wenn es sie noch gibt, sonst geht das Geld an Sie zurück.
order-again = Karten neu auswählen
order-give-up = Diese Karten freigeben
order-free = Karten holen
order-code = Bestellcode

row = Reihe
seat = Platz
discount = Rabatt
total = Summe
refunded = Erstattet
refund-under-way = Wird zurückgezahlt
refund-granted = Erstattung bewilligt
promocode = Aktionscode
promocode-use = Einlösen
promocode-have = Ich habe einen Aktionscode
promocode-remove = Entfernen

checkout = Ihre Angaben
held-till = Für Sie reserviert bis
held-for = Noch für Sie reserviert
hold-ends-soon = Ihre Karten sind noch zwei Minuten reserviert.
need-more-time = Ich brauche mehr Zeit
email = E-Mail
email-hint = Dorthin gehen Ihre Karten.
name = Name
phone = Telefon
optional = (freiwillig)
how-to-pay = Wie möchten Sie bezahlen?
pay-sum = Zahlungspflichtig bestellen: { $name }
binding = Mit dem Knopf bestellen Sie verbindlich.
pay-test = Testzahlung
pay-test-hint = Zum Ausprobieren: Es fließt kein Geld.
pay-transfer = Überweisung
pay-transfer-hint = Sie erhalten Konto und Verwendungszweck. Die Karten kommen, sobald das Geld da ist.
pay-door = An der Abendkasse
pay-door-hint = Wir halten Ihre Karten bis zum Beginn. Sie zahlen, wenn Sie kommen.
pay-stripe = Kartenzahlung
pay-stripe-hint = Auf der sicheren Seite von Stripe. Ihre Karten kommen sofort.

payment = Zahlung
payment-go-on = Weiter zur Zahlung
transfer-hint = Bitte überweisen Sie den Betrag mit genau diesem Verwendungszweck. Sobald er eingegangen ist, kommen Ihre Karten per Mail.
transfer-code = Oder scannen Sie das mit der App Ihrer Bank.
transfer-holder = Empfänger
transfer-iban = IBAN
transfer-bic = BIC
transfer-reference = Verwendungszweck
door-hint = Ihre Karten liegen an der Abendkasse bereit. Bitte bringen Sie die Bestellnummer mit.
keep-this-page = Merken Sie sich die Adresse dieser Seite: Sie ist der Schlüssel zu Ihrer Bestellung. Geben Sie sie nicht weiter.

your-tickets = Ihre Karten
tickets-sent = Wir haben sie an { $name } geschickt.
ticket-barcode = Barcode der Karte
download-tickets = Karten herunterladen (PDF)
give-back = Karten zurückgeben
give-back-hint = Wie viel erstattet wird, richtet sich nach den Bedingungen Ihres Kaufs; darüber entscheidet der Veranstalter. Die Karten sind danach ungültig.
give-back-ask = Geld zurückverlangen
what-next = Wie weiter?
back-to-order = Zurück zur Bestellung
own-tickets =
    { $count ->
        [one] Für Sie ist 1 Karte reserviert.
       *[other] Für Sie sind { $count } Karten reserviert.
    }

stripe-title = Zur Zahlung
stripe-hint = Sie werden zur sicheren Seite unseres Zahlungsdienstes Stripe gebracht. Dort geben Sie Ihre Kartendaten ein; wir sehen sie nie.
stripe-unavailable = Der Zahlungsdienst antwortet gerade nicht. Es wurde nichts abgebucht. Bitte versuchen Sie es noch einmal, oder zahlen Sie auf anderem Weg.
stripe-again = Noch einmal versuchen

test-over = Es fließt kein Geld
test-title = Testzahlung
test-hint = Diese Seite steht für eine Bank. Wählen Sie, wie die Zahlung ausgehen soll.
test-yes = Bezahlen
test-no = Zahlung ablehnen
test-later = In zwanzig Sekunden bezahlen
test-twice = Zahlung zweimal melden
test-late = Nach Ablauf der Zeit bezahlen
test-never = Nie antworten

notice-nothing-chosen = Bitte wählen Sie mindestens eine Karte.
notice-all-taken = Diese Karten wurden gerade vergeben. Bitte wählen Sie andere.
notice-some-taken = Es waren nicht mehr alle Karten da. Wir halten für Sie, was es gab.
notice-too-many = So viele Karten gehen nicht in eine Bestellung. Bitte wählen Sie weniger.
notice-too-many-unpaid = Sie haben für diese Veranstaltung zu viele unbezahlte Bestellungen. Bitte bezahlen oder stornieren Sie zuerst eine.
notice-not-on-sale = Karten sind gerade nicht im Verkauf.
notice-shop-closed = Karten für diese Veranstaltung werden hier nicht verkauft.
notice-not-reserved = Die Karten konnten nicht reserviert werden. Bitte versuchen Sie es noch einmal.
notice-longer = Sie haben nun mehr Zeit.
notice-canceled = Die Bestellung wurde storniert.
notice-code-used = Der Code wurde eingelöst.
notice-code-removed = Der Code wurde entfernt.
notice-refund-asked = Wir haben Ihren Wunsch an den Veranstalter weitergegeben.

refused = Das hat nicht geklappt. Bitte versuchen Sie es noch einmal.
refused-fields = Bitte sehen Sie sich die markierten Felder noch einmal an.
refused-email = Bitte geben Sie die E-Mail-Adresse an, an die Ihre Karten gehen sollen.
refused-code-unknown = Diesen Code gibt es nicht.
refused-code-not-here = Dieser Code gilt nicht für diese Karten.
refused-code-more-tickets = Dieser Code braucht mehr Karten.
refused-code-used-up = Dieser Code ist aufgebraucht.
refused-no-longer = Länger können die Karten nicht gehalten werden.
refused-order-final = Dafür ist die Bestellung nicht mehr offen.
refused-unpaid-limit = Für diese Veranstaltung gibt es schon zu viele unbezahlte Bestellungen. Bitte bezahlen oder stornieren Sie zuerst eine.
refused-not-on-sale = Karten sind nicht mehr im Verkauf.
refused-forbidden = Das bietet der Verkäufer nicht an.
refused-refund = Die Karten können nicht mehr zurückgegeben werden.

error-cross-site = Dieses Formular kam von woanders
error-cross-site-hint = Zu Ihrer Sicherheit wurde es nicht angenommen. Bitte öffnen Sie die Seite selbst und versuchen Sie es noch einmal.

lost-tickets = Karten noch einmal schicken
lost-tickets-hint = Geben Sie die E-Mail-Adresse ein, mit der Sie bestellt haben. Wir schicken Ihnen die Links Ihrer Bestellungen.
lost-tickets-ask = Links schicken
lost-tickets-sent = Bitte schauen Sie in Ihr Postfach.
lost-tickets-nothing = Wenn es Bestellungen mit dieser Adresse gibt, sind ihre Links unterwegs. Kommt in den nächsten Minuten nichts, schauen Sie in den Spam-Ordner, oder versuchen Sie eine andere Adresse.
lost-tickets-wrong = Das ist keine E-Mail-Adresse. Bitte prüfen Sie sie noch einmal.

error-canceled = Diese Veranstaltung wurde abgesagt
error-canceled-hint = Sie findet nicht statt. Wer Karten gekauft hat, findet auf der Seite der Bestellung, was aus dem Geld wird.
order-event-canceled = Sie findet nicht statt. Über das Geld für Ihre Karten entscheidet der Veranstalter, und diese Seite zeigt es, sobald es zurückgezahlt ist.

order-cancel = Diese Bestellung stornieren
holder = Name auf der Karte
field-wrong = Bitte füllen Sie das aus.
yes = Ja
no = Nein
please-choose = Bitte wählen
terms-accept = Ich akzeptiere die Bedingungen von { $name }.
terms-wrong = Bitte akzeptieren Sie die Bedingungen, um zu bestellen. Vielleicht wurden sie eben geändert.
seller-terms = Bedingungen des Verkäufers
seller-terms-file = Bedingungen des Verkäufers (PDF)
names-change = Namen auf den Karten ändern
names-hint = Sie können sie bis { $name } ändern.
names-save = Namen speichern
notice-names-changed = Die Namen wurden gespeichert.
refused-names-over = Die Namen auf diesen Karten lassen sich nicht mehr ändern.
