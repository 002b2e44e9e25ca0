package io.penstock.http;

/**
 * One pair of a {@code Cookie} field.
 *
 * @param value the value as the client has sent it, including quotes
 */
public record RequestCookie(String name, String value) {}
