package io.penstock.deploy.application;

/** The class between {@link LoudGreeter} and {@link Greeter}. */
public abstract class GreeterBase implements Greeter {}
