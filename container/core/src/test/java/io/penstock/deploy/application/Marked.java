package io.penstock.deploy.application;

import java.lang.annotation.Inherited;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;

/** An annotation that subclasses inherit. */
@Inherited
@Retention(RetentionPolicy.RUNTIME)
public @interface Marked {}
