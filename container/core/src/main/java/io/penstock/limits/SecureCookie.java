package io.penstock.limits;

/** Whether the session cookie is always {@code Secure}, or only if the request was secure. */
public enum SecureCookie {
    AUTO,
    ON
}
