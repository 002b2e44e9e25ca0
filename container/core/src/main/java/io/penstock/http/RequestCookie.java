package io.penstock.http;

/**
 * One pair of a {@code Cookie} field.
 *
 * @param value as sent, including quotes
 */
public record RequestCookie(String name, String value) {}
