/** A web application that a test serves. */
package io.penstock.naming.application;
