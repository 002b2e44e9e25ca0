/**
 * Plain responses for programs that test a server. The responses contain the body, the header lines or the cookies of
 * the request.
 */
package io.penstock.sample.echo;
