/** Classes that tests put into web applications. */
package io.penstock.develop.application;
