package io.penstock.deploy.application;

/** What {@link GreeterInitializer} looks for. */
public interface Greeter {}
