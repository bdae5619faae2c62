extension PageTexts {
  static let spanish = PageTexts(
    verifyEmail: Page(
      title: "Confirma tu dirección de correo",
      text: "Confirma que la dirección de correo a la que enviamos el enlace es tuya.",
      button: "Confirmar la dirección",
      doneTitle: "Tu dirección está confirmada",
      doneText: "¡Gracias! Puedes cerrar esta página y continuar en la aplicación."
    ),
    resetPassword: Page(
      title: "Elige una nueva contraseña",
      text: """
        Se cerrará la sesión en todos tus dispositivos y a partir de ahora usarás la nueva contraseña. Una cuenta \
        desactivada se reactiva.
        """,
      button: "Guardar la contraseña",
      doneTitle: "Tu contraseña se ha cambiado",
      doneText: "Puedes cerrar esta página e iniciar sesión en la aplicación con la nueva contraseña."
    ),
    confirmEmail: Page(
      title: "Confirma tu nueva dirección de correo",
      text: "Confirma que esta es la nueva dirección de tu cuenta. A partir de ahora iniciarás sesión con ella.",
      button: "Confirmar la dirección",
      doneTitle: "Tu dirección se ha cambiado",
      doneText: "A partir de ahora inicias sesión con la nueva dirección. Puedes cerrar esta página."
    ),
    acceptInvitation: Page(
      title: "Acepta la invitación",
      text: "Inicia sesión para unirte a la familia como madre o padre.",
      button: "Iniciar sesión y aceptar",
      doneTitle: "Ya formas parte de la familia",
      doneText: "Puedes cerrar esta página y continuar en la aplicación."
    ),
    register: Page(
      title: "Crea una cuenta",
      text: "Usa la dirección de correo a la que te invitaron para que la solicitud te llegue.",
      button: "Crear la cuenta",
      doneTitle: "Tu cuenta se ha creado",
      doneText: "Te hemos enviado un correo. Confirma tu dirección con el enlace que contiene."
    ),
    stopInvitations: Page(
      title: "No recibir más invitaciones",
      text: """
        No se enviarán más invitaciones a la dirección que recibió el correo, sea quien sea la persona que invita. \
        Los demás correos, como los de tu propia cuenta, no cambian.
        """,
      button: "Detener las invitaciones",
      doneTitle: "Ya no recibirás invitaciones",
      doneText: """
        Si te registras con esta dirección y la confirmas, podrán invitarte de nuevo. Puedes cerrar esta página.
        """
    ),
    waitingTitle: "Tu aceptación está pendiente de confirmación",
    waitingText: """
      La invitación se envió a una dirección distinta de la de tu cuenta, o todavía no has confirmado la \
      tuya. Una madre o \
      un padre de la familia debe confirmar que puedes unirte.
      """,
    noAccount: "Todavía no tengo cuenta",
    registeredForInvitation: "Después, abre de nuevo el enlace de la invitación para aceptarla.",
    code: "Código del correo",
    email: "Dirección de correo",
    password: "Contraseña",
    newPassword: "Nueva contraseña",
    repeatedPassword: "Repite la contraseña",
    passwordHint: "Al menos 8 caracteres.",
    name: "Tu nombre",
    dateOfBirth: "Fecha de nacimiento",
    phone: "Número de teléfono",
    errorTitle: "No ha funcionado",
    errorMark: "Error",
    required: "Rellena este campo.",
    invalid: "Este valor no es válido.",
    invalidEmail: "Esto no es una dirección de correo.",
    linkInvalid: "Este enlace o código no es válido. Ya se ha usado o se ha sustituido por uno más reciente.",
    stopLinkInvalid: "Este enlace o código no está completo. Abre de nuevo el enlace del correo.",
    linkExpired: "Este enlace o código ha caducado. Solicita uno nuevo en la aplicación.",
    wrongCredentials: "La dirección de correo o la contraseña no es correcta.",
    deactivated: "Esta cuenta está desactivada. Puedes reactivarla en la aplicación.",
    tooShort: "Es demasiado corto.",
    tooLong: "Es demasiado largo.",
    tooCommon: "Esta contraseña es fácil de adivinar. Elige otra.",
    mismatch: "Las dos contraseñas no coinciden.",
    emailTaken: "Ya existe una cuenta con esta dirección de correo.",
    invitationConflict: """
      No puedes unirte: tu propia familia tiene menores u otra madre o padre, o alguien más ha usado esta invitación.
      """,
    rateLimited: "Ha habido demasiados intentos. Inténtalo más tarde.",
    failed: "Algo ha ido mal. Inténtalo más tarde."
  )
}
