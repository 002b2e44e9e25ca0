/** Plain answers for programs that test a server: the body, the header lines and the cookies of a request. */
package io.penstock.sample.echo;
