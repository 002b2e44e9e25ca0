package io.penstock.limits;

/** A value of the operator, with its origin. */
public record Given<T>(T value, Origin origin) {}
