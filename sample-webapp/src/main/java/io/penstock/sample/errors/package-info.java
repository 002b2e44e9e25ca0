/** Shows intentional failures, and the error page. */
package io.penstock.sample.errors;
