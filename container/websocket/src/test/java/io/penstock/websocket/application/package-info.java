/** The classes of the applications in the tests. */
package io.penstock.websocket.application;
