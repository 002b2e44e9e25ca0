package io.penstock.deploy.application;

/** Implements {@link Greeter} by way of its base class. */
public class LoudGreeter extends GreeterBase {}
