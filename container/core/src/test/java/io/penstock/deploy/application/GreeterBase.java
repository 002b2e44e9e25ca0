package io.penstock.deploy.application;

/** A superclass of {@link LoudGreeter} that implements {@link Greeter}. */
public abstract class GreeterBase implements Greeter {}
