# Orders in the console.

# The list
console-orders = Заказы
orders-search = Номер, штрихкод, имя, почта, телефон
orders-number-date = Номер и дата
find = Найти
find-all = Показать все
orders-all = Все
orders-empty = Здесь нет заказов
orders-empty-hint = Здесь появятся покупки и продажи на входе.
orders-many = Не менее { $count } заказов
orders-count = { $count ->
    [one] { $count } заказ
    [few] { $count } заказа
   *[other] { $count } заказов
}
order-no = Заказ
customer = Покупатель
order-state-done = Оплачен
order-state-paying = Ждёт оплаты
order-state-held = Отложен
order-state-canceled = Отменён
order-state-refunded = Билеты возвращены
order-state-expired = Истёк

# One order
order-number = Заказ { $name }
seat-of = Ряд { $row }, место { $number }
resend = Выслать билеты ещё раз
cancel-order = Отменить заказ
payments = Платежи
payment-amount = Сумма
payment-received = Получено
confirm-received = Деньги пришли
payment-pending = Ожидается
payment-paid = Оплачено
payment-failed = Не удалось
payment-canceled = Отменено
payment-returning = Возвращается
payment-to-send-back = Нужно вернуть
payment-returned = Возвращено
payment-gone-back = возвращено:
payment-to-return = Сумма, отправленная обратно
confirm-returned = Деньги отправлены обратно
payment-reason-declined = Платёж отклонён
payment-reason-expired = Время вышло
payment-reason-replaced = Покупатель выбрал другой способ
payment-reason-order-canceled = Заказ отменён
payment-reason-order-paid = Заказ оплачен другим способом
payment-reason-order-changed = Заказ изменился
payment-reason-tickets-gone = Деньги пришли, когда билетов уже не было
payment-reason-event-over = Мероприятие прошло или не продаётся
payment-reason-surplus = Пришло больше, чем стоит заказ
payment-reason-refund = Билеты возвращены
what-to-do = Что сделать
refunds = Возвраты
refund-sum = К возврату
refund-new = Запрошен
refund-in-progress = В работе
refund-approved = Одобрено
refund-rejected = Отклонён
refund-approve = Вернуть { $name }
refund-reject = Отклонить
order-no-tickets = Билетов в нём больше нет.
barcode = Штрихкод
give-money-back = Вернуть деньги
give-money-back-hint = Отметьте билеты выше. Сумма будет показана до возврата.
refund-why = Почему
refund-by-customer = Покупатель не может прийти
refund-by-customer-hint = Удерживается по правилам возврата.
refund-by-us = По нашей вине
refund-by-us-hint = Возвращается всё уплаченное.
refund-ask = Показать сумму
history = История
change-order-reserved = Билеты отложены
change-order-changed = Заказ изменён
change-order-paying = Началась оплата
change-order-paid = Оплачен
change-order-canceled = Отменён
change-order-expired = Время истекло
change-order-refunded = Возврат одобрен
change-ticket-issued = Билеты выписаны
change-ticket-voided = Билет аннулирован
change-payment-started = Платёж начат
change-payment-changed = Пришла часть платежа
change-payment-returning = Деньги возвращаются
change-payment-paid = Платёж получен
change-payment-failed = Платёж не прошёл
change-payment-canceled = Платёж отменён
change-payment-returned = Деньги вернулись
actor-system = сервер
actor-operator = оператор
actor-customer = покупатель

# At the door
console-sale = Продажа на входе
sale-choose = На какое мероприятие?
sale-empty = Сейчас ничего не продаётся
sale-customer = Имя и почта (необязательно)
sale-customer-hint = Если указать почту, билеты придут и на неё.
sale-sell = Оплачено: продать
sale-show = Показать сумму
sale-collect = Принять: { $name }
sale-collected = Принято: { $name }
sale-hint = Деньги вы получили. Далее — билеты для печати или показа.

# What was done
done-received = Отмечено: деньги пришли.
done-returned = Отмечено: деньги отправлены обратно.
done-refund-asked = Вот сумма к возврату. Без вашего решения ничего не вернётся.
done-refunded = Одобрено: деньги должны вернуться, билеты снова в продаже. Оплаченное переводом или при входе вы возвращаете сами.
done-rejected = Запрос отклонён.
done-resent = Билеты отправлены.
done-sold = Продано.

# What is refused
denied-not-on-sale = Мероприятие не в продаже.
denied-event-over = Мероприятие прошло или отменено.
denied-order-empty = Столько билетов уже нет.
denied-order-state = В таком состоянии заказа это невозможно.
denied-refund-policy = Правила возврата этого уже не допускают.
denied-refund-open = По этим билетам уже есть открытый запрос.
denied-nothing-chosen = Сначала выберите билеты.
denied-tickets-gone = Билеты проданы другим.

# Много промокодов и возвраты
new-promocodes = Много промокодов
promocodes-typed = Свои коды
promocodes-typed-hint = По одному в строке, до 500.
promocodes-count = Сколько придумать
promocodes-count-hint = Восемь букв и цифр, которые не угадать.
promocodes-prefix = Каждый начинается с
promocodes-csv = Скачать таблицей (CSV)
console-refunds = Запросы на возврат
refunds-hint = Решение принимается на странице заказа.
refunds-all = Все
refunds-empty = Никто не просит вернуть деньги.
refunds-sum = К возврату
promocodes-made = { $count ->
    [one] Создан { $count } код; эти отклонены.
    [few] Создано { $count } кода; эти отклонены.
   *[other] Создано { $count } кодов; эти отклонены.
}
