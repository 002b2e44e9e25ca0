package io.penstock.deploy.application;

/** The type that {@link GreeterInitializer} handles. */
public interface Greeter {}
