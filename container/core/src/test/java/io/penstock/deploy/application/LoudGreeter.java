package io.penstock.deploy.application;

/** Implements {@link Greeter} through its base class. */
public class LoudGreeter extends GreeterBase {}
