# Что написано на билетах, в календарях и в письмах с ними.

document-title = Билеты: { $event }
document-ticket-of = Билет { $number } из { $count }
document-page-of = Страница { $number } из { $count }
document-ends = Окончание
document-category = Категория
document-sector = Сектор
document-seat = Место
document-price = Цена
document-ticket = Билет
document-order = Заказ
document-code = Код
document-invitation = Приглашение
document-notes = Полезно знать
document-at-the-entrance = Приготовьте штрихкод у входа: на бумаге или на экране. Войдёт тот, кто покажет его первым: никому его не передавайте.
document-organizer = Организатор: { $name }
document-vendor = Продавец: { $name }
document-barcode-picture = QR-код: { $digits }

returns-never = Билеты возврату не подлежат.
returns-until-end = Билеты можно вернуть до окончания мероприятия.
returns-until-start = Билеты можно вернуть до начала мероприятия.
returns-until-days =
    { $count ->
        [one] Билеты можно вернуть не позднее чем за { $count } день до начала мероприятия.
        [few] Билеты можно вернуть не позднее чем за { $count } дня до начала мероприятия.
       *[other] Билеты можно вернуть не позднее чем за { $count } дней до начала мероприятия.
    }
returns-nothing-kept = Их цена возвращается без удержаний.
returns-part-kept = Из их цены удерживается { $percent }.

mail-tickets-subject = Ваши билеты: { $event }
mail-order = { $number }, код { $code }
mail-row = ряд { $name }
mail-seat = место { $name }
mail-barcodes = Приготовьте у входа штрихкод каждого билета: на бумаге или на экране.
mail-order-page = Ваш заказ
mail-order-page-hint = На странице заказа ваши билеты всегда под рукой. Её адрес — ключ к ним: никому его не передавайте.
mail-links-subject = Ваши заказы: { $name }
mail-links = Здравствуйте! Кто-то попросил прислать билеты, заказанные на этот адрес. Вот они:
mail-links-hint = Билеты есть у каждого, кто знает такой адрес: никому его не передавайте. Если вы ни о чём не просили, ничего делать не нужно.
mail-transfer-subject = Оплатите, пожалуйста, билеты: { $event }
mail-door-subject = Ваши билеты забронированы: { $event }
mail-transfer = Спасибо за заказ. Переведите сумму точно с этим назначением платежа. Как только деньги придут, билеты придут на почту.
mail-door = Спасибо за заказ. Билеты ждут вас при входе, там вы их и оплатите. Возьмите с собой номер заказа.
mail-pay-until = За вами до
mail-payment-page-hint = На странице заказа видно, что с ним происходит; там же можно оплатить его иначе или отменить. Её адрес — ключ к нему: никому его не передавайте.
