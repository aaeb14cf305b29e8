//! The shop of a partner: where people buy, and how they pay.

use std::fmt::Display;
use std::str::FromStr;

use kassa_domain::Patch;
use kassa_domain::attachment::Attachment;
use kassa_domain::hex;
use kassa_domain::partner::{
    Color, MalformedWebOrigin, PaymentProvider, SHOP_ORIGINS_MAX, Shop, ShopFilesPatch, ShopPatch, ShopTermsPatch,
    TRANSFER_DAYS_MAX, TransferAccount, WebOrigin,
};
use utoipa::PartialSchema;
use utoipa::openapi::{RefOr, Schema};

use crate::base_url::BaseUrl;
use crate::error::ErrorDetail;
use crate::input::{
    BoundedNumber, EmailText, Flag, FromJson, Input, LineText, List, LongText, Problems, fields, parse_object,
};
use crate::openapi::schema;
use crate::wire::{IdOrObject, MediaItemBody, PAYMENT_PROVIDERS, PaymentProviderInput, Time, wire_form};

/// How long transfers may take where nobody says.
const DAYS_DEFAULT: u32 = 7;

wire_form! {
    /// The shop of a partner: where people buy, and how they pay.
    #[derive(Debug)]
    #[schema(as = Shop)]
    pub(super) struct ShopBody {
        /// Whether anybody can order there.
        open: bool,
        #[schema(schema_with = payments_schema)]
        payments: Vec<&'static str>,
        /// The colour of buttons and links, as `#rrggbb`; `null` for the usual one.
        accent: Option<String>,
        /// Where transfers go; `null` if that is not said. Others than the partner see `null`.
        transfer: Option<TransferBody>,
        /// The sites whose pages may have the shop in a frame.
        #[schema(example = json!(["https://www.example.org"]))]
        origins: Vec<String>,
        /// What it says of itself there, which may have several lines; `null` if nothing.
        #[schema(example = "A hall for 400 people in an old warehouse.")]
        about: Option<String>,
        /// Where people write to it; `null` if that is not said.
        #[schema(example = "hello@harbour-hall.example.org")]
        email: Option<String>,
        /// Where people call it; `null` if that is not said.
        #[schema(example = "+49 40 123456")]
        phone: Option<String>,
        /// The picture at the head of its pages; `null` if there is none.
        header: Option<MediaItemBody>,
        /// The terms that whoever buys there accepts; `null` if there are none.
        terms: Option<TermsBody>,
    }
}

wire_form! {
    /// Terms of a seller.
    #[derive(Debug)]
    #[schema(as = ShopTerms)]
    pub(super) struct TermsBody {
        /// As text, which may have several lines; `null` if they are a file only.
        #[schema(example = "Doors open an hour before the show.")]
        text: Option<String>,
        /// As a PDF; `null` if they are text only.
        file: Option<MediaItemBody>,
        /// Since when they are so. Whoever accepts them names them by that.
        since: Time,
    }
}

wire_form! {
    /// The bank account to which transfers go.
    #[derive(Debug)]
    #[schema(as = TransferAccount)]
    pub(super) struct TransferBody {
        /// Its number.
        #[schema(example = "DE02120300000000202051")]
        iban: String,
        /// Whose it is, as its bank knows them.
        #[schema(example = "Club Nord e.V.")]
        holder: String,
        /// Its bank; `null` if that is not said.
        #[schema(example = "BYLADEM1001")]
        bic: Option<String>,
        /// Within how many days of the order the money has to come.
        #[schema(example = 7)]
        days: u32,
    }
}

fn payments_schema() -> RefOr<Schema> {
    let about = "How orders can be paid, in the order in which it is offered: `TRANSFER` to a bank account, at the `DOOR`, \
                 on a page of `STRIPE`, or not at all, as a `TEST`.";
    schema::list(PAYMENT_PROVIDERS.schema()).description(Some(about)).into()
}

impl ShopBody {
    pub(super) fn new(shop: &Shop, base: &BaseUrl) -> Self {
        Self {
            open: shop.is_open,
            payments: shop.payments.iter().map(|provider| PAYMENT_PROVIDERS.name(*provider)).collect(),
            accent: shop.accent.map(|Color(rgb)| format!("#{}", hex::encode(&rgb))),
            transfer: shop.transfer.as_ref().map(|account| TransferBody {
                iban: account.iban.to_string(),
                holder: account.holder.clone(),
                bic: account.bic.as_ref().map(ToString::to_string),
                days: account.days,
            }),
            origins: shop.origins.iter().map(ToString::to_string).collect(),
            about: shop.about.clone(),
            email: shop.email.clone(),
            phone: shop.phone.clone(),
            header: shop.header.as_ref().map(|picture| MediaItemBody::new(picture, base)),
            terms: shop.terms.as_ref().map(|terms| TermsBody {
                text: terms.text.clone(),
                file: terms.file.as_ref().map(|file| MediaItemBody::new(file, base)),
                since: Time(terms.since),
            }),
        }
    }

    /// As others see it: its account is for those who pay, and what it cannot take yet it does not offer.
    pub(super) fn public(shop: &Shop, base: &BaseUrl) -> Self {
        let offered = shop.payments.iter().filter(|provider| shop.offers(**provider));
        let payments = offered.map(|provider| PAYMENT_PROVIDERS.name(*provider)).collect();
        Self { transfer: None, payments, ..Self::new(shop, base) }
    }
}

fields! {
    struct ShopFields {
        /// Whether anybody can order there; `false` until it is set.
        open: Input<Flag>,
        /// How orders can be paid, in the order in which it is offered, each once.
        payments: Input<List<PaymentProviderInput, 8>>,
        /// The colour of buttons and links, as `#rrggbb`; `null` for the usual one.
        accent: Input<LineText<7>>,
        /// Where transfers go: `TRANSFER` is offered as soon as that is said. `null` forgets it.
        transfer: Input<TransferInput>,
        /// The sites whose pages may have the shop in a frame, each once: `https://www.example.org`.
        origins: Input<List<LineText<300>, SHOP_ORIGINS_MAX>>,
        /// What it says of itself there, which may have several lines; up to 10000 characters.
        about: Input<LongText>,
        /// Where people write to it.
        email: Input<EmailText>,
        /// Where people call it; up to 64 characters.
        phone: Input<LineText<64>>,
        /// The picture at the head of its pages: the id of an image that it has uploaded itself. `null` removes it.
        header: Input<IdOrObject<Attachment>>,
        /// The terms that whoever buys there must accept. `null` removes them.
        terms: Input<TermsInput>,
    }
}

fields! {
    struct TermsFields {
        /// As text, which may have several lines; up to 10000 characters.
        text: Input<LongText>,
        /// As a PDF: the id of an attachment that it has uploaded itself. `null` removes it.
        file: Input<IdOrObject<Attachment>>,
    }
}

/// `{text, file}` in a request: what is not named stays.
#[derive(Debug)]
struct TermsInput(ShopTermsPatch);

impl FromJson for TermsInput {
    fn from_json(json: &str) -> Result<Self, Vec<ErrorDetail>> {
        let fields: TermsFields = parse_object(json)?;
        let mut problems = Problems::default();
        let text = fields.text.patch("text", &mut problems).map(|text| text.0);
        let file = fields.file.patch("file", &mut problems).map(|file| file.0);
        problems.into_result(Self(ShopTermsPatch { text, file }))
    }

    fn json_schema() -> RefOr<Schema> {
        TermsFields::schema()
    }
}

fields! {
    struct TransferFields {
        /// The number of the account.
        iban: Input<LineText<50>>,
        /// Whose it is, as its bank knows them; up to 70 characters.
        holder: Input<LineText<70>>,
        /// The code of its bank.
        bic: Input<LineText<50>>,
        /// Within how many days of the order the money has to come; 7 by default.
        days: Input<BoundedNumber<TRANSFER_DAYS_MAX, 1>>,
    }
}

/// `{iban, holder, bic, days}` in a request: all of it at once.
#[derive(Debug)]
struct TransferInput(TransferAccount);

impl FromJson for TransferInput {
    fn from_json(json: &str) -> Result<Self, Vec<ErrorDetail>> {
        let fields: TransferFields = parse_object(json)?;
        let mut problems = Problems::default();
        let iban = parsed("iban", fields.iban.required("iban", &mut problems), &mut problems);
        let holder = fields.holder.required("holder", &mut problems);
        let bic = parsed("bic", fields.bic.optional("bic", &mut problems), &mut problems);
        let days = fields.days.optional("days", &mut problems).map_or(DAYS_DEFAULT, |days| days.0);
        let account = iban.zip(holder).map(|(iban, holder)| TransferAccount { iban, holder: holder.0, bic, days });
        match account {
            Some(account) => problems.into_result(Self(account)),
            None => Err(problems.into_details()),
        }
    }

    fn json_schema() -> RefOr<Schema> {
        TransferFields::schema()
    }
}

/// A text that is to be one of these; what is wrong with another is noted.
fn parsed<T: FromStr<Err: Display>>(name: &str, text: Option<LineText<50>>, problems: &mut Problems) -> Option<T> {
    text.and_then(|text| text.0.parse().inspect_err(|error: &T::Err| problems.add(name, error.to_string())).ok())
}

/// A shop in a request.
#[derive(Debug)]
pub(super) struct ShopInput {
    pub(super) patch: ShopPatch,
    /// What of it is made of attachments.
    pub(super) files: ShopFilesPatch,
}

impl FromJson for ShopInput {
    fn from_json(json: &str) -> Result<Self, Vec<ErrorDetail>> {
        let fields: ShopFields = parse_object(json)?;
        let mut problems = Problems::default();
        let payments = fields.payments.patch("payments", &mut problems).map(|list| {
            let mut providers: Vec<PaymentProvider> = Vec::new();
            for PaymentProviderInput(provider) in list.0 {
                if !providers.contains(&provider) {
                    providers.push(provider);
                }
            }
            providers
        });
        let accent = match fields.accent.patch("accent", &mut problems) {
            Patch::Keep => Patch::Keep,
            Patch::Clear => Patch::Clear,
            Patch::Set(text) => {
                if let Some(color) = color(&text.0) {
                    Patch::Set(color)
                } else {
                    problems.add("accent", "must be a colour as #rrggbb");
                    Patch::Keep
                }
            }
        };
        let is_open = fields.open.patch("open", &mut problems).map(|flag| flag.0);
        let transfer = fields.transfer.patch("transfer", &mut problems).map(|account| account.0);
        let origins = fields.origins.patch("origins", &mut problems).map(|list| {
            let mut origins: Vec<WebOrigin> = Vec::new();
            for LineText(text) in list.0 {
                match text.parse() {
                    Ok(origin) if origins.contains(&origin) => {}
                    Ok(origin) => origins.push(origin),
                    Err(error @ MalformedWebOrigin) => problems.add("origins", error.to_string()),
                }
            }
            origins
        });
        let about = fields.about.patch("about", &mut problems).map(|text| text.0);
        let email = fields.email.patch("email", &mut problems).map(|email| email.0.to_string());
        let phone = fields.phone.patch("phone", &mut problems).map(|text| text.0);
        let header = fields.header.patch("header", &mut problems).map(|picture| picture.0);
        let terms = fields.terms.patch("terms", &mut problems).map(|terms| terms.0);
        problems.into_result(Self {
            patch: ShopPatch { is_open, payments, accent, transfer, origins, about, email, phone },
            files: ShopFilesPatch { header, terms },
        })
    }

    fn json_schema() -> RefOr<Schema> {
        ShopFields::schema()
    }
}

fn color(text: &str) -> Option<Color> {
    hex::decode(text.strip_prefix('#')?)?.try_into().ok().map(Color)
}
