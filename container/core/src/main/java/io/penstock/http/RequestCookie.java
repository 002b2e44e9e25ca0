package io.penstock.http;

/**
 * One pair of a {@code Cookie} field.
 *
 * @param value as sent, quotes included
 */
public record RequestCookie(String name, String value) {}
